// npm run demo: builds the snap, starts the stack and a wallet made of MetaMask's own packages, and
// plays the main job on a real chain: sign, send, and find the receipts.
import { formatEther, formatGwei, isAddressEqual, type TransactionReceipt } from 'viem';

import { readArgs } from '../args';
import { buildDevSnap } from '../build/build';
import { startDevStack } from '../stack/stack';
import {
  refuseMessage,
  sendNonsense,
  sendTransaction,
  sendUserOperation,
  signMessage,
  signTypedData,
} from './main-job';
import { heading, row, runCommand, step } from './print';
import {
  configureChain,
  connect,
  createAccount,
  openWorld,
  type DemoAccount,
  type World,
} from './world';

const transactions = [
  ['Legacy transaction', { type: '0x0' }],
  ['EIP-2930 transaction', { type: '0x1', accessList: [] }],
  ['EIP-1559 transaction', { type: '0x2' }],
] as const;

readArgs(`npm run demo

Builds the snap, starts a chain, contracts, a bundler and a service, and signs, pays and finds
transactions and user operations with a wallet of MetaMask's own packages.`);

await runCommand(async () => {
  const start = Date.now();
  heading('Tollkeeper: the main job on a real chain');
  await step('Build the snap', buildDevSnap);
  const stack = await step(
    'Start chain, contracts, bundler and service',
    startDevStack,
  );
  try {
    const world = await step(
      "Install the snap in a wallet of MetaMask's packages",
      async () => openWorld(stack),
    );
    await play(world);
    await world.wallet.stop();
  } finally {
    await stack.stop();
  }
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  process.stdout.write(`\nAll done in ${seconds} s; everything is stopped.\n`);
});

async function play(world: World): Promise<void> {
  await step('Configure the chain (tollkeeper_setChain)', async () =>
    configureChain(world),
  );
  const account = await showAccount(world, 'Account', { type: 'eip155:eoa' });
  const smart = await showAccount(world, 'Smart account (ERC-4337, EntryPoint 0.6)', {
    type: 'eip155:erc4337',
    entryPoint: '0.6',
    scopes: [`eip155:${world.stack.chainId}`],
  });
  await connect(world, world.dapp, [account, smart]);

  const signatures = [
    ['personal_sign', await signMessage(world, account)],
    ['typed data', await signTypedData(world, account)],
  ] as const;
  heading('Messages, by MetaMask');
  for (const [label, signer] of signatures) {
    if (!isAddressEqual(signer, account.address)) {
      throw new Error(
        `The signature recovers to ${signer}, not to ${account.address}.`,
      );
    }
    row(label, `recovered to ${signer}`);
  }

  for (const [title, fields] of transactions) {
    const { receipt, ...sent } = await sendTransaction(world, account, fields);
    const { effectiveGasPrice, gasUsed } = receipt;
    const paid = `${formatEther(effectiveGasPrice * gasUsed)} ETH`;
    heading(`${title}, by a dapp, fees filled in from the gas API`);
    row('hash', sent.hash);
    row('filled in', `gas ${sent.gasLimit}, at most ${formatGwei(sent.maxPrice)} gwei`);
    row('included', describeBlock(receipt));
    row('gas used', gasUsed);
    row('paid', `${formatGwei(effectiveGasPrice)} gwei, ${paid}`);
  }

  const sent = await step('Send a user operation and wait for the bundle', async () =>
    sendUserOperation(world, smart),
  );
  heading('User operation, by MetaMask');
  row('hash', sent.userOpHash);
  row('bundle', sent.receipt.transactionHash);
  row('included', describeBlock(sent.receipt));
  row('succeeded', sent.success ? 'yes' : 'no');
  row('gas used', sent.actualGasUsed);
  row('account', sent.isDeployed ? 'deployed by it' : 'not deployed');
  row('received', `${sent.received} ETH`);

  const refused = await refuseMessage(world, account);
  const nonsense = await sendNonsense(world, account);
  heading('Errors that a dapp gets if');
  row('the user refuses', `${refused.code} ${refused.message}`);
  row('a field is wrong', `${nonsense.code} ${nonsense.message}`);
}

async function showAccount(
  world: World,
  title: string,
  options: Record<string, string | string[]>,
): Promise<DemoAccount> {
  const account = await createAccount(world, options);
  await world.stack.fund(account.address, '1');
  heading(title);
  row('address', account.address);
  row('id', account.id);
  row('in MetaMask', 'yes: the SnapKeyring holds it');
  return account;
}

function describeBlock({ blockNumber, status }: TransactionReceipt): string {
  return `block ${blockNumber}, ${status === 'success' ? 'success' : 'failed'}`;
}
