// Typed data come as they are or as their JSON text, which some dapps send.
import { InvalidParamsError } from '../errors';

/**
 * Read what may be the JSON text of an object or an array.
 *
 * @returns Other values as they are.
 * @throws {InvalidParamsError} If it is a text of something else.
 */
export function readDocument(
  value: unknown,
  kind: 'object' | 'array',
  root: string,
): unknown {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    const isKind = Array.isArray(read) === (kind === 'array');
    if (isKind && typeof read === 'object' && read !== null) return read;
  } catch {
    // Said below: what a parser complains of would quote the text.
  }
  throw new InvalidParamsError(`${root} must be an ${kind}, or the JSON text of one.`);
}
