// Well-known keys, which are the same on every start. They are public, so never use them elsewhere.
import type { Address, Hex } from 'viem';
import { mnemonicToAccount, type HDAccount } from 'viem/accounts';

export type DevelopmentAccount = { address: Address; privateKey: Hex };

/** anvil's first account. It has 10,000 ETH and nonce 0 when the stack is ready. */
export const funded: DevelopmentAccount = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
};

/** anvil's ninth account, which signs for the verifying paymasters. */
export const paymasterSigner: DevelopmentAccount = {
  address: '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  privateKey: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
};

/** anvil's last account. The node has its key. */
export const deploymentPayer: Address = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** The phrase of the bundlers' accounts. It differs from anvil's, so that nonces never collide. */
export const bundlerMnemonic =
  'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** Derives the account for EntryPoint 0.6, and the one for later versions. */
export function deriveBundlers(): [HDAccount, HDAccount] {
  const derive = (addressIndex: number): HDAccount =>
    mnemonicToAccount(bundlerMnemonic, { addressIndex });
  return [derive(0), derive(1)];
}
