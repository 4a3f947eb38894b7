// viem: connect and sign a message.
import { createProvider } from 'tollkeeper-snap/provider';
import { createWalletClient, custom } from 'viem';
import { sepolia } from 'viem/chains';

import { onPress } from '../page';

const transport = custom(createProvider());
const wallet = createWalletClient({ chain: sepolia, transport });

onPress(async () => {
  const [account] = await wallet.requestAddresses();
  if (!account) throw new Error('Connect an account.');
  return wallet.signMessage({ account, message: 'Hello from viem' });
});
