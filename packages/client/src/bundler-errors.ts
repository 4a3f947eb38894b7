// Explains why a bundler refused an operation, and what to do about it, by the error code of the
// EntryPoint or the bundler, or by the bundler's message, which is appended.
import { TollkeeperError } from '../../../src/core/errors';
import type { Hex } from '../../../src/eth/hex';
import { RpcError } from './errors';

const AGAIN = 'Estimate the operation again.';

const NOT_OURS = "This is the bundler's fault: try again, or use another one.";

const ASK_PAYMASTER = 'Ask the paymaster, or send the operation without one.';

/** Meanings of the refusal codes of EntryPoints 0.6 to 0.9.
 * @see https://github.com/eth-infinitism/account-abstraction */
const AA_MEANINGS: Record<string, string> = {
  AA10: 'the operation deploys an account that already exists. Prepare it again.',
  AA13: `the factory failed to deploy the account, or had too little gas. ${AGAIN}`,
  AA14: 'the factory would deploy a different account than the sender. Check initCode and sender.',
  AA15: "the factory deployed nothing at the sender's address. Check initCode and sender.",
  AA20: 'the account is not deployed, and the operation does not deploy it. Prepare it again.',
  AA21: 'the account cannot pay for the gas. Fund it, or use a paymaster.',
  AA22: 'the signature is not yet valid or has expired. Check its validity period.',
  AA23: 'the account refused the operation. Check its signature and its verification gas.',
  AA24: "the signature is not the owner's, or it covers other fields. Sign again.",
  AA25:
    'the nonce is already used, or earlier operations are still pending. Wait for ' +
    'them, or prepare the operation again.',
  AA26: `validating the account took more than verificationGasLimit. ${AGAIN}`,
  AA27: 'the signature is not valid in this block. Check its block range.',
  AA30: `the paymaster is not deployed on this chain. ${ASK_PAYMASTER}`,
  AA31: `the paymaster's deposit is too low. ${ASK_PAYMASTER}`,
  AA32: "the paymaster's approval has expired or is not yet valid. Ask it again.",
  AA33: `the paymaster refused the operation. ${ASK_PAYMASTER}`,
  AA34: "the paymaster's approval covers other fields. Ask it again.",
  AA36: `the paymaster took more than paymasterVerificationGasLimit. ${AGAIN}`,
  AA37: "the paymaster's approval is not valid in this block. Ask it again.",
  AA40: `validating the operation took more than verificationGasLimit. ${AGAIN}`,
  AA41: `verificationGasLimit is too low for the paymaster. ${AGAIN}`,
  AA50: `the paymaster failed after the operation ran. ${ASK_PAYMASTER}`,
  AA51: `the operation cost more than was reserved for it. ${AGAIN}`,
  AA90: `the bundler named no beneficiary. ${NOT_OURS}`,
  AA91: `the bundler could not be paid. ${NOT_OURS}`,
  AA92: `the bundler called a function reserved for the EntryPoint. ${NOT_OURS}`,
  AA93: 'paymasterAndData is too short. Check it.',
  AA94: 'a gas limit or a fee exceeds what the EntryPoint accepts. Check them.',
  AA95: `the bundle had too little gas. ${NOT_OURS}`,
  AA96: 'the signature aggregator is not valid. Use an account without one.',
  AA97: `the bundler called a function reserved for the EntryPoint. ${NOT_OURS}`,
  AA98: "the paymaster's address is zero. Check paymasterAndData.",
  AA99: 'initCode is too short to contain a factory. Check it.',
};

/** Meanings of the ERC-7769 codes for refused operations. */
const CODE_MEANINGS: Record<string, string> = {
  '-32500':
    'the account refused the operation. Check its balance, nonce and signature.',
  '-32501': `the paymaster refused the operation. ${ASK_PAYMASTER}`,
  '-32502':
    'the account, its factory or the paymaster breaks the rules for code that runs while an ' +
    'operation is validated (ERC-7562). Use another one.',
  '-32503':
    'the operation has expired, is about to expire, or is not yet valid. Prepare and sign it again.',
  '-32504':
    'the paymaster or the factory is banned or throttled: too many of its operations ' +
    'failed. Try again later, or without it.',
  '-32505':
    'the paymaster, the factory or the account has too little stake. Use another one.',
  '-32506': 'the signature aggregator is not supported. Use an account without one.',
  '-32507': "the signature is not the owner's, or it covers other fields. Sign again.",
  '-32508':
    'the paymaster cannot pay for all operations it has approved. Try again later, or without it.',
  '-32521':
    'the calls of the operation fail. Check them, and that the account holds what ' +
    'they send.',
};

const INVALID_PARAMS = -32602;

/** Meanings of messages sent with the invalid-params code; the first match wins. */
const MESSAGE_MEANINGS: readonly [pattern: RegExp, words: string][] = [
  [
    /underpriced|replace(?:ment)?\b.*(?:fee|gas|price)|(?:fee|gas|price).*\breplace/iu,
    'an operation with this nonce is already pending, and its fees are too close. To replace ' +
      'it, raise both fees by at least 10 %.',
  ],
  [
    /already (?:known|exists?|in|received|being)|duplicate/iu,
    'the bundler already has this operation, or another one with this nonce. Look for its receipt.',
  ],
  [
    /max(?:Priority)?FeePerGas.*(?:at least|too low|below)/iu,
    'the fees are lower than the bundler accepts. Raise them.',
  ],
  [
    /preVerificationGas.*(?:at least|too low|not enough|below)|preVerificationGas: below/iu,
    "preVerificationGas is too low for the chain's current prices. Estimate the operation again.",
  ],
];

/** A bundler refused an operation. `code` is that of its {@link RpcError}. */
export class BundlerError extends TollkeeperError {
  override readonly name = 'BundlerError';

  /** The EntryPoint's code, such as `AA21`. */
  readonly aaCode: string | undefined;

  readonly revertReason: string | undefined;

  readonly revertData: Hex | undefined;

  /** The bundler's own message; it may be empty. */
  readonly said: string;

  constructor(cause: RpcError, words: string, aaCode?: string) {
    const { code, label, said, context, revertReason, revertData } = cause;
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
    this.revertData = revertData;
    this.said = said;
  }
}

/** Explains a bundler's refusal. Returns errors without a known explanation unchanged. */
export function toBundlerError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const { code, said, revertReason = '' } = error;
  for (const text of [said, revertReason]) {
    const [aaCode = ''] = /\bAA\d\d\b/u.exec(text) ?? [];
    const words = AA_MEANINGS[aaCode];
    if (words !== undefined) return new BundlerError(error, words, aaCode);
  }
  const words =
    code === INVALID_PARAMS
      ? MESSAGE_MEANINGS.find(([pattern]) => pattern.test(said))?.[1]
      : CODE_MEANINGS[String(code)];
  return words === undefined ? error : new BundlerError(error, words);
}
