// Where a node is configured and MetaMask has the network as well, both are asked for code: neither can
// make a spender into a contract, or a smart account into an ordinary one.
import { dataOf } from '../fixtures/trust/call';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { giveChains } from '../support/given';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { textOf, warningsOf } from '../support/view';

const TOKEN = '0x6b175474e89094c44da98b954eedeac495271d0f';

const ofSpender =
  (code: string): NodeAnswers[string] =>
  ([address]) =>
    address === RECIPIENT ? code : '0x6080';

/** Asks for something, with a node that is configured and one of MetaMask, and lists what is warned of. */
async function warn(
  configured: NodeAnswers[string],
  ofMetaMask: NodeAnswers[string],
  fields: (account: string) => Record<string, string>,
): Promise<string[]> {
  const bench = await createSendBench();
  const { wallet, network, dialogs } = bench.edges;
  const node = createFakeNode({ ...wallet.answers, eth_getCode: configured });
  network.serve('https://node.example', serving(node));
  await giveChains(bench.app, { 'eip155:1': { rpcUrl: 'https://node.example' } });
  wallet.answers.eth_getCode = ofMetaMask;
  await bench.send({ value: '0x0', ...fields(bench.address) });
  return warningsOf(dialogs.shown.at(-1));
}

const approving = () => ({
  to: TOKEN,
  data: dataOf('approve(address,uint256)', RECIPIENT, 5n),
});

const noCode = textOf('typed.spenderNoCode', { address: RECIPIENT });
const disputed = textOf('alert.disputed', { address: RECIPIENT });

it.each<[string, NodeAnswers[string], NodeAnswers[string], string[]]>([
  ['both nodes call a contract', ofSpender('0x60'), ofSpender('0x60'), []],
  ['neither node calls a contract', ofSpender('0x'), ofSpender('0x'), [noCode]],
  [
    'only the configured node calls a contract',
    ofSpender('0x60'),
    ofSpender('0x'),
    [disputed],
  ],
  [
    'only the configured node calls no contract',
    ofSpender('0x'),
    ofSpender('0x60'),
    [disputed],
  ],
  ['the node of MetaMask does not know', ofSpender('0x60'), refuses('down'), []],
  ['only the node of MetaMask knows', refuses('down'), ofSpender('0x'), [noCode]],
])('warns of a spender that %s', async (_what, ...rest) => {
  const [configured, ofMetaMask, expected] = rest;
  expect(await warn(configured, ofMetaMask, approving)).toStrictEqual(expected);
});

it('warns of a call to the account itself if one node reports it without code', async () => {
  const calling = (account: string) => ({ to: account, data: '0x12345678' });
  expect(await warn('0x', '0xef01', calling)).toStrictEqual([textOf('alert.ownCall')]);
  expect(await warn('0x', '0x', calling)).toStrictEqual([textOf('alert.ownData')]);
});

it('keeps the danger of giving control away, whatever nodes say about code', async () => {
  const giving = (account: string) => ({
    to: account,
    data: dataOf('transferOwnership(address)', RECIPIENT),
  });
  expect(await warn('0x', '0x', giving)).toStrictEqual([textOf('alert.ownCall')]);
});
