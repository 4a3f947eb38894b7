// If a chain has a configured node and is also in MetaMask, the snap asks both nodes for code.
// Neither node alone can pass off a spender as a contract, or a smart account as an ordinary
// account.
import { dataOf } from '../fixtures/trust/call';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { storeChains } from '../support/given';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { textOf, warningsOf } from '../support/view';

const TOKEN = '0x6b175474e89094c44da98b954eedeac495271d0f';

const codeOfSpender =
  (code: string): NodeAnswers[string] =>
  ([address]) =>
    address === RECIPIENT ? code : '0x6080';

/** Sends a transaction while the two nodes report the given code, and lists the warnings. */
async function findWarnings(
  configured: NodeAnswers[string],
  ofMetaMask: NodeAnswers[string],
  fields: (account: string) => Record<string, string>,
): Promise<string[]> {
  const bench = await createSendBench();
  const { wallet, network, dialogs } = bench.edges;
  const node = createFakeNode({ ...wallet.answers, eth_getCode: configured });
  network.serve('https://node.example', serving(node));
  await storeChains(bench.app, { 'eip155:1': { rpcUrl: 'https://node.example' } });
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
const ownCall = textOf('alert.ownCall');

it.each<[string, NodeAnswers[string], NodeAnswers[string], string[]]>([
  ['both nodes report code', codeOfSpender('0x60'), codeOfSpender('0x60'), []],
  ['neither node reports code', codeOfSpender('0x'), codeOfSpender('0x'), [noCode]],
  [
    'only the configured node reports code',
    codeOfSpender('0x60'),
    codeOfSpender('0x'),
    [disputed],
  ],
  [
    "only MetaMask's node reports code",
    codeOfSpender('0x'),
    codeOfSpender('0x60'),
    [disputed],
  ],
  ["MetaMask's node fails", codeOfSpender('0x60'), refuses('down'), []],
  ['the configured node fails', refuses('down'), codeOfSpender('0x'), [noCode]],
])('warns about a spender unless it is a contract: %s', async (_what, ...rest) => {
  const [configured, ofMetaMask, expected] = rest;
  expect(await findWarnings(configured, ofMetaMask, approving)).toStrictEqual(expected);
});

it('warns about a call to the account itself even if one node reports no code', async () => {
  const calling = (account: string) => ({ to: account, data: '0x12345678' });
  expect(await findWarnings('0x', '0xef01', calling)).toStrictEqual([ownCall]);
  const ownData = textOf('alert.ownData');
  expect(await findWarnings('0x', '0x', calling)).toStrictEqual([ownData]);
});

it('warns about giving control away even if both nodes report no code', async () => {
  const giving = (account: string) => ({
    to: account,
    data: dataOf('transferOwnership(address)', RECIPIENT),
  });
  expect(await findWarnings('0x', '0x', giving)).toStrictEqual([ownCall]);
});
