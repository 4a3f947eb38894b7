// A server's own error, passed on with its code and data.
import { TollkeeperError } from '../errors';
import { findRevertReason } from '../eth/revert';
import { withAttempts, write } from './place';
import type { Place } from './place';

/** Longest part of a server's error message that is passed on. */
const MAX_MESSAGE_LENGTH = 300;

/** Code for an error whose own would be misread (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** A JSON-RPC error as it came. */
type ToldError = { code?: unknown; message: string; data?: unknown };

/** The server answered with a JSON-RPC error; code and data are its own. */
export class RpcError extends TollkeeperError {
  /** Why a contract reverted, decoded from `Error(string)` or `Panic(uint256)`. */
  readonly revertReason: string | undefined;

  /** The server's own message, as far as it is passed on; it may be empty. */
  readonly said: string;

  /** The method and the server. */
  readonly label: string;

  readonly #told: ToldError;

  constructor(place: Place, told: ToldError) {
    const { code, message, data } = told;
    const reason = findRevertReason(data);
    const said = message.slice(0, MAX_MESSAGE_LENGTH).replace(/[.\s]+$/u, '');
    // Most nodes say the reason themselves.
    const what = said === '' ? 'failed' : `failed: ${said}`;
    // The server answered: it is known what became of the call.
    const where = { ...place, mayBeDone: false };
    const isNew = reason !== undefined && !said.includes(reason);
    super(
      toCode(code),
      write(where, `${what}${isNew ? ` (${reason})` : ''}.`, ''),
      withAttempts(where, {
        context: {
          ...(data === undefined ? {} : { data: data as never }),
          ...(reason === undefined ? {} : { revertReason: reason }),
        },
      }),
    );
    this.revertReason = reason;
    this.said = said;
    this.label = place.label;
    this.#told = told;
  }

  at(place: Place): RpcError {
    return new RpcError(place, this.#told);
  }
}

// A revert (3), and the ranges that nodes and bundlers use. Others belong to the wallet,
// such as 4001, or to us: a server that answers with one must not speak for them.
function toCode(code: unknown): number {
  if (!Number.isInteger(code)) return SERVER_ERROR;
  const own = Number(code);
  const isServers =
    (own >= -32599 && own <= -32000) || [3, -32600, -32601, -32602].includes(own);
  return isServers ? own : SERVER_ERROR;
}
