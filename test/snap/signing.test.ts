import type { Json } from '@metamask/utils';
import {
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  stringToHex,
  verifyMessage,
} from 'viem';
import type { Hex, TypedDataDefinition } from 'viem';

import { installBench, resultIn } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { TO, transactions } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import { toViem } from '../support/viem-transaction';
import { writeView } from '../support/view';

const MESSAGE = stringToHex('hello');

let confirm: SnapBench['confirm'];
let address: Hex;

// One installation takes a second: they ask one after another, as people do.
beforeAll(async () => {
  const bench = await installBench();
  ({ confirm } = bench);
  address = (await bench.create()).address as Hex;
  await confirm('eth_requestAccounts');
});

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

describe('a site that was granted an account', () => {
  it('has a message signed', async () => {
    const { answer, content } = await confirm('personal_sign', [MESSAGE, address]);
    const signature = resultIn(answer) as Hex;
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true);
    for (const part of ['https://dapp.example', address, 'hello']) {
      expect(writeView(content)).toContain(part);
    }
  });

  it('has typed data signed', async () => {
    const { answer, content } = await confirm('eth_signTypedData_v4', [
      address,
      mailOf(1),
    ]);
    const signature = resultIn(answer) as Hex;
    const typed: unknown = mailOf(1);
    const document = typed as TypedDataDefinition;
    const signer = await recoverTypedDataAddress({ ...document, signature });
    expect(signer.toLowerCase()).toBe(address);
    expect(writeView(content)).toContain('Hello, Bob!');
  });

  it.each(Object.entries(transactions))('has %s signed', async (_type, fields) => {
    const params = [{ from: address, ...fields }];
    const { answer, content } = await confirm('eth_signTransaction', params);
    const signature = resultIn(answer);
    expect(Object.keys(signature as object).sort()).toStrictEqual(['r', 's', 'v']);
    expect(await senderOf(fields, signature)).toBe(address);
    expect(writeView(content)).toContain(TO);
  });
});
