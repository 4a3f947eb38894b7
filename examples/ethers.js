// Tollkeeper with ethers: connect, sign, send, wait.
//
//   npm install tollkeeper-snap ethers
//   npx esbuild ethers.js --bundle --format=esm --outfile=bundle.js
//
// and <script type="module" src="bundle.js"></script> in a page.
import { BrowserProvider, parseEther, verifyMessage } from 'ethers';

import { createProvider } from 'tollkeeper-snap/provider';

// The snap of `npm start`. Elsewhere: createProvider().
const provider = createProvider({ snapId: 'local:http://localhost:8080' });

const browser = new BrowserProvider(provider);
const signer = await browser.getSigner(); // installs the snap, if it has to be
console.log('account', signer.address);

const message = 'The toll is paid.';
const signature = await signer.signMessage(message);
console.log('verified', verifyMessage(message, signature) === signer.address);

const value = parseEther('0.001');
const sent = await signer.sendTransaction({ to: signer.address, value });
const receipt = await sent.wait();
console.log('transaction', receipt.status === 1 ? 'success' : 'reverted');
