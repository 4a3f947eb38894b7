// A paymaster's service does not pay for an operation.
import { TollkeeperError } from '../../errors';
import type { ErrorDetails } from '../../errors';
import { RpcError } from '../rpc-error';

/** Code where the service gave none (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** The paymaster does not pay; code and data are the service's own, if it gave any. */
export class PaymasterError extends TollkeeperError {
  /** The method and the service. */
  readonly label: string;

  constructor(label: string, what: string, details: ErrorDetails & { code?: number }) {
    const advice = 'Ask the paymaster, or send the operation without one.';
    const { code = SERVER_ERROR, ...others } = details;
    super(code, `${label}: the paymaster does not pay. ${what} ${advice}`, others);
    this.label = label;
  }
}

/** Tell what a paymaster's service refused; other failures are passed on. */
export function toPaymasterError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const { code, context, label, said } = error;
  const what = said === '' ? 'It did not say why.' : `It said: ${said}.`;
  return new PaymasterError(label, what, { code, context, cause: error });
}
