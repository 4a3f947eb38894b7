import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import {
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  stringToHex,
  verifyMessage,
} from 'viem';
import type { Hex, TypedDataDefinition } from 'viem';

import { installBench, refusalIn, resultIn } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { TO, transactions } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import { toViem } from '../support/viem-transaction';
import { writeView } from '../support/view';

const MESSAGE = stringToHex('hello');

const notGranted = {
  code: 4100,
  message:
    'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
};

type Bench = SnapBench & { account: KeyringAccount; address: Hex };

/** A site that was granted the one account. */
async function setup(): Promise<Bench> {
  const bench = await installBench();
  const account = await bench.create();
  await bench.confirm({ method: 'eth_requestAccounts' }, ['approve']);
  return { ...bench, account, address: account.address as Hex };
}

async function senderOf(fields: Record<string, Json>, signature: unknown) {
  const { v, r, s } = signature as Record<'v' | 'r' | 's', Hex>;
  const isLegacy = fields.type === '0x0';
  const parity = isLegacy ? { v: BigInt(v) } : { yParity: Number(v), v: BigInt(v) };
  const serializedTransaction = serializeTransaction(toViem(fields), {
    r,
    s,
    ...parity,
  });
  const sender = await recoverTransactionAddress({ serializedTransaction });
  return sender.toLowerCase();
}

// An installation takes a second: these ask one after another, as people do.
describe('a site that was granted an account', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await setup();
  });

  it('has a message signed', async () => {
    const { confirm, address } = bench;
    const call = { method: 'personal_sign', params: [MESSAGE, address] };
    const { answer, content } = await confirm(call, ['approve']);
    const signature = resultIn(answer) as Hex;
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true);
    for (const part of ['https://dapp.example', address, 'hello']) {
      expect(writeView(content)).toContain(part);
    }
  });

  it('has typed data signed', async () => {
    const { confirm, address } = bench;
    const call = { method: 'eth_signTypedData_v4', params: [address, mailOf(1)] };
    const { answer, content } = await confirm(call, ['approve']);
    const signature = resultIn(answer) as Hex;
    const typed: unknown = mailOf(1);
    const document = typed as TypedDataDefinition;
    const signer = await recoverTypedDataAddress({ ...document, signature });
    expect(signer.toLowerCase()).toBe(address);
    expect(writeView(content)).toContain('Hello, Bob!');
  });

  it.each(Object.entries(transactions))('has %s signed', async (_type, fields) => {
    const { confirm, address } = bench;
    const params = [{ from: address, ...fields }];
    const call = { method: 'eth_signTransaction', params };
    const { answer, content } = await confirm(call, ['approve']);
    const signature = resultIn(answer);
    expect(Object.keys(signature as object).sort()).toStrictEqual(['r', 's', 'v']);
    expect(await senderOf(fields, signature)).toBe(address);
    expect(writeView(content)).toContain(TO);
  });

  it.each<[string, (address: Hex) => Json[]]>([
    ['personal_sign', (address) => [MESSAGE, address]],
    ['eth_signTypedData_v4', (address) => [address, mailOf(1)]],
    ['eth_signTransaction', (from) => [{ from, ...transactions.legacy }]],
  ])(
    'gets 4001 if the user refuses %s, and can ask again',
    async (method, paramsFor) => {
      const { confirm, address } = bench;
      const call = { method, params: paramsFor(address) };
      const { answer } = await confirm(call, ['refuse']);
      expect(refusalIn(answer)).toStrictEqual({
        code: 4001,
        message: 'The user refused the request.',
      });
      const again = await confirm(call, ['approve']);
      expect(resultIn(again.answer)).toBeTruthy();
    },
  );

  it('gets nothing signed by another account', async () => {
    const { create, rpc } = bench;
    const other = await create();
    const answer = await rpc('personal_sign', [MESSAGE, other.address]);
    expect(refusalIn(answer)).toStrictEqual(notGranted);
  });
});

describe('a site without a grant', () => {
  let bench: SnapBench;

  beforeAll(async () => {
    bench = await installBench();
  });

  it.each<[string, (address: string) => Json[]]>([
    ['personal_sign', (address) => [MESSAGE, address]],
    ['eth_signTypedData_v4', (address) => [address, mailOf(1)]],
    ['eth_signTransaction', (from) => [{ from, ...transactions.legacy }]],
  ])('gets 4100 for %s', async (method, paramsFor) => {
    const { create, rpc } = bench;
    const { address } = await create();
    expect(refusalIn(await rpc(method, paramsFor(address)))).toStrictEqual(notGranted);
  });
});

describe('MetaMask', () => {
  it('has things signed without another dialog', async () => {
    const { create, submit } = await installBench();
    const { id, address } = await create();
    const params = [MESSAGE, address];
    const answer = await submit({ account: id, method: 'personal_sign', params });
    const { pending, result } = resultIn(answer) as { pending: boolean; result: Hex };
    expect(pending).toBe(false);
    const signer = { address: address as Hex, message: 'hello', signature: result };
    expect(await verifyMessage(signer)).toBe(true);
  });

  it('is told why a smart account signs no message', async () => {
    const { create, submit } = await installBench();
    const { id, address } = await create({ type: 'eip155:erc4337' });
    const params = [MESSAGE, address];
    const answer = await submit({ account: id, method: 'personal_sign', params });
    expect(refusalIn(answer)).toStrictEqual({
      code: 4200,
      message:
        `The account ${address} is of type eip155:erc4337 and does not offer ` +
        'personal_sign. Its contract, SimpleAccount, has no ERC-1271, so that its ' +
        'signatures cannot be verified. A Safe can sign messages.',
    });
  });
});
