// A server's answer, believed only after it was checked.
import { describeRejection, validate } from '../../parse';
import type { StructOf } from '../../parse';
import { InvalidResponseError } from '../errors';
import type { Place } from '../place';

/**
 * Read what a server answered.
 *
 * @throws {InvalidResponseError} If it does not fit; it names the path below `result`.
 */
export function readAnswer<Type>(
  answer: unknown,
  struct: StructOf<Type>,
  place: Place,
): Type {
  const result = validate(answer, struct);
  if ('value' in result) return result.value;
  throw new InvalidResponseError(place, describeRejection(result.rejection, 'result'));
}
