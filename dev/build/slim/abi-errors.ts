// Stands in for abi-utils' errors: it makes one for every value that it encodes, to throw it
// if the value is wrong, and looking at the stack each time is half of the work.

/** An error without a stack; nothing reads one, and the caller tells its own. */
export function ParserError(this: Error, message: string): void {
  this.name = 'ParserError';
  this.message = message;
}
ParserError.prototype = Object.create(Error.prototype) as Error;

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
