// The codes with which EntryPoints 0.6, 0.7 and 0.8 refuse an operation, in words.

const AGAIN = 'Estimate the operation again.';

const NOT_OURS = 'This is a fault of the bundler: try again, or use another one.';

const ASK_PAYMASTER = 'Ask the paymaster, or send the operation without one.';

/** @see https://github.com/eth-infinitism/account-abstraction */
const WORDS: Record<string, string> = {
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
  AA30: `the paymaster is not deployed on this chain. ${ASK_PAYMASTER}`,
  AA31: `the deposit of the paymaster is too low. ${ASK_PAYMASTER}`,
  AA32: 'the consent of the paymaster has expired, or is not due. Ask it again.',
  AA33: `the paymaster refused the operation. ${ASK_PAYMASTER}`,
  AA34: 'the consent of the paymaster is for other fields than these. Ask it again.',
  AA36: `the paymaster took more than paymasterVerificationGasLimit. ${AGAIN}`,
  AA40: `checking the operation took more than verificationGasLimit. ${AGAIN}`,
  AA41: `verificationGasLimit is too low for the paymaster. ${AGAIN}`,
  AA50: `the paymaster failed after the operation was carried out. ${ASK_PAYMASTER}`,
  AA51: `the operation cost more than was set aside for it. ${AGAIN}`,
  AA90: `the bundler named nobody to be paid. ${NOT_OURS}`,
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

/** Explain a code of the EntryPoint: what it means, and what to do. */
export function explainAaCode(code: string): string | undefined {
  return Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
}
