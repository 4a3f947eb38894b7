// The codes of ERC-7769 with which bundlers refuse an operation, in words.

/** @see https://eips.ethereum.org/EIPS/eip-7769 */
const WORDS: Record<string, string> = {
  '-32500':
    'the account refused the operation. Check that it can pay, its nonce and signature.',
  '-32501':
    'the paymaster refused the operation. Ask the paymaster, or send it without one.',
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

/** Explain a code of a bundler: what it means, and what to do. */
export function explainCode(code: number, said: string): string | undefined {
  if (code === INVALID_PARAMS) return SAID.find(([form]) => form.test(said))?.[1];
  return WORDS[String(code)];
}
