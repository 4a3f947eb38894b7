// Tollkeeper with viem: connect, sign, send, wait.
//
//   npm install tollkeeper-snap viem
//   npx esbuild viem.js --bundle --format=esm --outfile=bundle.js
//
// and <script type="module" src="bundle.js"></script> in a page.
import { createPublicClient, createWalletClient, custom, parseEther } from 'viem';
import { foundry } from 'viem/chains';

import { createProvider } from 'tollkeeper-snap/provider';

// The snap and the chain of `npm start`. Elsewhere: createProvider(), and sepolia or mainnet.
const provider = createProvider({ snapId: 'local:http://localhost:8080' });
const chain = foundry;

const transport = custom(provider);
const reader = createPublicClient({ chain, transport });
const wallet = createWalletClient({ chain, transport });

const [account] = await wallet.requestAddresses(); // installs the snap, if it has to be
console.log('account', account);

const message = 'The toll is paid.';
const signature = await wallet.signMessage({ account, message });
const address = account;
console.log('verified', await reader.verifyMessage({ address, message, signature }));

const value = parseEther('0.001');
const hash = await wallet.sendTransaction({ account, to: account, value });
const { status } = await reader.waitForTransactionReceipt({ hash });
console.log('transaction', status);

const calls = [1n, 2n].map((wei) => ({ to: account, value: wei }));
const { id } = await wallet.sendCalls({ account, calls }); // EIP-5792
const batch = await wallet.waitForCallsStatus({ id });
console.log('batch', batch.status);
