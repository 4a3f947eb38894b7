// Two names of one field, as `gas` and `gasLimit`: callers may give either, or both if
// they agree.
import { InvalidParamsError } from '../errors';

/**
 * Take the value that is there, whichever its name.
 *
 * @param names - What stands under each name; the case of hex does not count.
 * @param root - How messages name the object that has the fields.
 * @returns `undefined` if there is none.
 * @throws {InvalidParamsError} If they differ.
 */
export function agree<Value>(
  names: Record<string, Value | undefined>,
  root: string,
): Value | undefined {
  const given = Object.entries(names).filter(([, value]) => value !== undefined);
  const values = new Set(given.map(([, value]) => String(value).toLowerCase()));
  if (values.size > 1) {
    const both = given.map(([name]) => name).join(' and ');
    throw new InvalidParamsError(`${root}: ${both} differ; give one of them.`);
  }
  return given[0]?.[1];
}
