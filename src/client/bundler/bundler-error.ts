// What a bundler refuses, in words: what its codes and the EntryPoint's mean, and what to
// do. The bundler's own text comes after ours.
import { TollkeeperError } from '../../errors';
import { RpcError } from '../rpc-error';
import { explainAaCode } from './aa-codes';
import { explainCode } from './codes';

/** A bundler refused an operation; code and data are its own. */
export class BundlerError extends TollkeeperError {
  /** The EntryPoint's code, such as `AA21`. */
  readonly aaCode: string | undefined;

  readonly revertReason: string | undefined;

  /** The bundler's own message; it may be empty. */
  readonly said: string;

  constructor(cause: RpcError, words: string, aaCode?: string) {
    const { code, label, said, context, revertReason } = cause;
    const quote = said === '' ? '' : ` The bundler said: ${said}.`;
    const reason =
      revertReason === undefined || said.includes(revertReason)
        ? ''
        : ` The contract said: ${revertReason}.`;
    super(code, `${label} failed: ${words}${quote}${reason}`, {
      context: aaCode === undefined ? context : { ...context, aaCode },
      cause,
    });
    this.aaCode = aaCode;
    this.revertReason = revertReason;
    this.said = said;
  }
}

/** Tell what a bundler refused in words; what has no words for it is passed on. */
export function toBundlerError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const texts = [error.said, error.revertReason ?? ''];
  for (const text of texts) {
    const [aaCode = ''] = /\bAA\d\d\b/u.exec(text) ?? [];
    const words = explainAaCode(aaCode);
    if (words !== undefined) return new BundlerError(error, words, aaCode);
  }
  const words = explainCode(error.code, error.said);
  return words === undefined ? error : new BundlerError(error, words);
}
