// Main job, part 2: MetaMask has messages signed by its SnapKeyring; the signer is
// recovered with viem.
import { SignTypedDataVersion } from '@metamask/eth-sig-util';
import { recoverMessageAddress, recoverTypedDataAddress, stringToHex } from 'viem';
import type { Address, Hex } from 'viem';

import type { DemoAccount } from './accounts';
import type { World } from './world';

/** A signature and who it recovers to. */
export type Recovered = { signature: Hex; signer: Address };

const MESSAGE = 'The toll is paid.';

const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Post', version: '1', chainId: 31337 },
  message: {
    from: { name: 'Ada', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    contents: 'Hello.',
  },
} as const;

/** Sign a text with personal_sign. */
export async function signMessage(
  { wallet }: World,
  { address }: DemoAccount,
): Promise<Recovered> {
  const signed = await wallet.keyring.signPersonalMessage(
    address,
    stringToHex(MESSAGE),
  );
  const signature = signed as Hex;
  return {
    signature,
    signer: await recoverMessageAddress({ message: MESSAGE, signature }),
  };
}

/** Sign a document with eth_signTypedData_v4. */
export async function signTypedData(
  { wallet }: World,
  { address }: DemoAccount,
): Promise<Recovered> {
  const signature = (await wallet.keyring.signTypedData(
    address,
    structuredClone(MAIL),
    {
      version: SignTypedDataVersion.V4,
    },
  )) as Hex;
  // viem wants numbers of 256 bits as bigints, which JSON has not.
  const domain = { ...MAIL.domain, chainId: BigInt(MAIL.domain.chainId) };
  return {
    signature,
    signer: await recoverTypedDataAddress({ ...MAIL, domain, signature }),
  };
}
