// What a bundler refuses, in words: what its codes and the EntryPoint's mean, and what to
// do. The bundler's own text comes after ours.
import { TollkeeperError } from '../../../src/core/errors';
import type { Hex } from '../../../src/eth/hex';
import { RpcError } from './errors';

const AGAIN = 'Estimate the operation again.';

const NOT_OURS = 'This is a fault of the bundler: try again, or use another one.';

const ASK_PAYMASTER = 'Ask the paymaster, or send the operation without one.';

/** The codes with which EntryPoints 0.6 to 0.9 refuse an operation, in words.
 * @see https://github.com/eth-infinitism/account-abstraction */
const AA_MEANINGS: Record<string, string> = {
  AA10: 'the operation deploys an account that is deployed already. Prepare it again.',
  AA13: `the factory failed to deploy the account, or had too little gas. ${AGAIN}`,
  AA14: 'the factory would deploy another account than the sender. Check initCode and sender.',
  AA15: 'the factory deployed nothing at the address of the sender. Check initCode and sender.',
  AA20: 'the account is not deployed, and the operation does not deploy it. Prepare it again.',
  AA21: 'the account cannot pay for the gas. Send it money, or use a paymaster.',
  AA22: 'the signature is not valid yet, or not any more. Check the times that it holds for.',
  AA23: 'the account refused the operation. Check its signature and its verification gas.',
  AA24: 'the signature is not that of the owner of the account, or of other fields. Sign again.',
  AA25:
    'the nonce is used up, or its turn comes after operations that wait still. Wait for ' +
    'them, or prepare the operation again.',
  AA26: `checking the account took more than verificationGasLimit. ${AGAIN}`,
  AA27: 'the signature is not valid in this block. Check the blocks that it holds for.',
  AA30: `the paymaster is not deployed on this chain. ${ASK_PAYMASTER}`,
  AA31: `the deposit of the paymaster is too low. ${ASK_PAYMASTER}`,
  AA32: 'the consent of the paymaster has expired, or is not due. Ask it again.',
  AA33: `the paymaster refused the operation. ${ASK_PAYMASTER}`,
  AA34: 'the consent of the paymaster is for other fields than these. Ask it again.',
  AA36: `the paymaster took more than paymasterVerificationGasLimit. ${AGAIN}`,
  AA37: 'the consent of the paymaster is not valid in this block. Ask it again.',
  AA40: `checking the operation took more than verificationGasLimit. ${AGAIN}`,
  AA41: `verificationGasLimit is too low for the paymaster. ${AGAIN}`,
  AA50: `the paymaster failed after the operation was carried out. ${ASK_PAYMASTER}`,
  AA51: `the operation cost more than was set aside for it. ${AGAIN}`,
  AA90: `the bundler named no beneficiary. ${NOT_OURS}`,
  AA91: `the bundler could not be paid. ${NOT_OURS}`,
  AA92: `the bundler called what only the EntryPoint may call. ${NOT_OURS}`,
  AA93: 'paymasterAndData is too short. Check it.',
  AA94: 'a gas limit or a fee is larger than the EntryPoint takes. Check them.',
  AA95: `the bundle had too little gas. ${NOT_OURS}`,
  AA96: 'the aggregator of the signature is not valid. Use an account without one.',
  AA97: `the bundler called what only the EntryPoint may call. ${NOT_OURS}`,
  AA98: 'the address of the paymaster is zero. Check paymasterAndData.',
  AA99: 'initCode is too short to name a factory. Check it.',
};

/** The codes of ERC-7769 with which bundlers refuse an operation, in words. */
const CODE_MEANINGS: Record<string, string> = {
  '-32500':
    'the account refused the operation. Check that it can pay, its nonce and signature.',
  '-32501': `the paymaster refused the operation. ${ASK_PAYMASTER}`,
  '-32502':
    'the account, its factory or the paymaster does what bundlers do not allow while an ' +
    'operation is checked. Use another one.',
  '-32503':
    'the operation has expired, is about to, or is not due. Prepare and sign it again.',
  '-32504':
    'the paymaster or the factory is banned or throttled, since too many operations of ' +
    'it failed. Try again later, or without it.',
  '-32505':
    'the paymaster, the factory or the account has too little at stake. Use another one.',
  '-32506':
    'the aggregator of the signature is not supported. Use an account without one.',
  '-32507':
    'the signature is not that of the owner of the account, or of other fields. Sign again.',
  '-32508':
    'the paymaster cannot pay for all that it has promised. Try again later, or without it.',
  '-32521':
    'the calls of the operation fail. Check what they do, and that the account has ' +
    'what they send.',
};

const INVALID_PARAMS = -32602;

/** What bundlers say with the code for params that are wrong; the first that fits holds. */
const SAID: readonly [form: RegExp, words: string][] = [
  [
    /underpriced|replace(?:ment)?\b.*(?:fee|gas|price)|(?:fee|gas|price).*\breplace/iu,
    'an operation with this nonce waits already, and its fees are too close. To replace ' +
      'it, offer at least a tenth more of both fees.',
  ],
  [
    /already (?:known|exists?|in|received|being)|duplicate/iu,
    'the bundler has this operation already, or one with its nonce. Look for its receipt.',
  ],
  [
    /max(?:Priority)?FeePerGas.*(?:at least|too low|below)/iu,
    'the fees are lower than the bundler takes. Offer more.',
  ],
  [
    /preVerificationGas.*(?:at least|too low|not enough|below)|preVerificationGas: below/iu,
    'preVerificationGas is too low for what the chain asks now. Estimate the operation again.',
  ],
];

/** A bundler refused an operation; code and data are its own. */
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

/** Explains a bundler's refusal; an error without a known explanation is passed on. */
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
      ? SAID.find(([form]) => form.test(said))?.[1]
      : CODE_MEANINGS[String(code)];
  return words === undefined ? error : new BundlerError(error, words);
}
