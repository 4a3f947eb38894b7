// The main job in Node, without MetaMask: sign, pay, and find receipts, on a chain with a bundler.
// node examples/testing/main.mjs http://127.0.0.1:8545 http://127.0.0.1:4337
import { createTollkeeper, testKeys } from 'tollkeeper-snap/testing';
import { createWalletClient, custom, parseEther, publicActions } from 'viem';
import { foundry as chain } from 'viem/chains';

const [rpcUrl, bundlerUrl] = process.argv.slice(2);
const smartAccount = { type: 'eip155:erc4337', entryPoint: '0.6' };
const wallet = await createTollkeeper({
  accounts: [{ privateKey: testKeys[0] }, smartAccount],
  chains: [{ id: chain.id, rpcUrl, bundlerUrl }],
});
const [account, smart] = wallet.accounts.map(({ address }) => address);
await wallet.setAccounts([account, smart]);
const transport = custom(wallet.provider);
const client = createWalletClient({ account, chain, transport }).extend(publicActions);

const address = account;
const message = 'The toll is paid.';
const signature = await client.signMessage({ message });
console.log('message:', await client.verifyMessage({ address, message, signature }));
const types = { Toll: [{ name: 'paidTo', type: 'string' }] };
const toll = { types, primaryType: 'Toll', domain: {}, message: { paidTo: 'me' } };
const signed = { ...toll, address, signature: await client.signTypedData(toll) };
console.log('typed data:', await client.verifyTypedData(signed));

const payment = { to: smart, value: parseEther('1') };
for (const type of ['legacy', 'eip2930', 'eip1559']) {
  const hash = await client.sendTransaction({ ...payment, type });
  const { status } = await client.waitForTransactionReceipt({ hash });
  console.log(`${type}: ${status}, ${wallet.reviews.at(-1).title}`);
}
const { id } = await client.sendCalls({ account: smart, calls: [{ to: account }] });
const { status } = await client.waitForCallsStatus({ id });
console.log('user operation:', status);

wallet.decide = 'reject';
const refused = await client.signMessage({ message: 'Give me all.' }).catch((e) => e);
console.log('refused:', refused.cause.code, refused.details);
