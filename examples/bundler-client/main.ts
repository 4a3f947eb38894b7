// viem's bundler client: send a user operation from a smart account of Tollkeeper.
import { createProvider } from 'tollkeeper-snap/provider';
import { toTollkeeperSmartAccount } from 'tollkeeper-snap/viem';
import { createPublicClient, custom } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { sepolia } from 'viem/chains';

import { onPress } from '../page';

const provider = createProvider();
const transport = custom(provider);
const client = createPublicClient({ chain: sepolia, transport });

onPress(async () => {
  const account = await toTollkeeperSmartAccount({ client, provider });
  const bundler = createBundlerClient({ account, client, transport });
  const hash = await bundler.sendUserOperation({ calls: [{ to: account.address }] });
  const { receipt } = await bundler.waitForUserOperationReceipt({ hash });
  return receipt.transactionHash;
});
