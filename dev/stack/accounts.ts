// The well-known keys of a development chain. They are public everywhere: worthless
// outside it, and the same on every start so that examples can be repeated.
import type { Address, Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

export type DevelopmentAccount = { address: Address; privateKey: Hex };

/** anvil's first account: 10,000 ETH and nonce 0 when the stack is ready. */
export const funded: DevelopmentAccount = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
};

/** anvil's ninth account: signs for the verifying paymasters. */
export const paymasterSigner: DevelopmentAccount = {
  address: '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  privateKey: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
};

/** anvil's last account, unlocked on the node: pays for the deployment. */
export const deploymentPayer: Address = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** Phrase of the accounts of the bundlers, none of anvil's: nonces never clash. The first
 * is that of the bundler for EntryPoint 0.6. */
export const bundlerMnemonic =
  'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** The second account of that phrase: sends the bundles for EntryPoint 0.7 and later. */
export const bundleSender: DevelopmentAccount = {
  address: '0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C',
  privateKey: '0x5e4f6a62c67d2b8735d3cda66e37854d7a80f59aab639c3a4bed7e2c7432a4e4',
};

/** Derives the account that sends the bundles for EntryPoint 0.6. */
export function deriveBundlerAddress(): Address {
  return mnemonicToAccount(bundlerMnemonic).address;
}
