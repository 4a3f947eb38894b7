import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';

import { askedOf } from '../../support/fake-node';
import { createRawBench, METHOD, sign, signUnbound } from '../../support/raw-bench';
import { edit } from '../../support/raw-transactions';
import { refusalOf } from '../../support/refusal';

describe('the chain of a raw transaction', () => {
  it('is the one that it was signed for', async () => {
    const { sendRaw, other, pool, activity } = await createRawBench();
    await sendRaw([await sign({ chainId: 5 })]);
    expect(askedOf(other)).toStrictEqual([METHOD]);
    expect(pool.size).toBe(0);
    expect(await activity()).toMatchObject([{ chain: 'eip155:5' }]);
  });

  it('must be the one that is named outright', async () => {
    const { sendRaw, other, pool } = await createRawBench();
    const params = { scope: 'eip155:5', params: [await sign()] };
    expect(await refusalOf(sendRaw(params))).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect([other.calls, pool.size]).toStrictEqual([[], 0]);
  });

  it('must have a node', async () => {
    const { sendRaw } = await createRawBench();
    const sending = sendRaw([await sign({ chainId: 9 })]);
    expect(await refusalOf(sending)).toHaveProperty('code', -32002);
  });

  it("is the wallet's where it names none, and none is named outright", async () => {
    const { sendRaw, pool, activity } = await createRawBench();
    await sendRaw([await signUnbound()]);
    expect(pool.size).toBe(1);
    expect(await activity()).toMatchObject([{ chain: 'eip155:1' }]);
  });

  it('is the one named outright where it names none itself', async () => {
    const { sendRaw, other, activity } = await createRawBench();
    await sendRaw({ scope: 'eip155:5', params: [await signUnbound()] });
    expect(askedOf(other)).toStrictEqual([METHOD]);
    expect(await activity()).toMatchObject([{ chain: 'eip155:5' }]);
  });
});

describe('a raw transaction that is malformed', () => {
  const unreadable =
    '[0] must be a signed transaction (EIP-2718), but it cannot be read as one.';

  it.each<[string, (raw: Hex) => Json, string]>([
    [
      'is missing',
      () => [],
      '[0] is missing: it must be bytes in hex (0x and an even number of digits; 1 MB at most).',
    ],
    [
      'is no hex',
      () => ['0xabc'],
      '[0] must be bytes in hex (0x and an even number of digits; 1 MB at most).',
    ],
    ['has another beside it', (raw) => [raw, raw], '[1] is not expected here.'],
    [
      'is of an unknown type',
      (raw) => [`0x05${raw.slice(4)}`],
      '[0] begins with the type 0x5; 0x1, 0x2, 0x3 and 0x4 can be read, and legacy transactions.',
    ],
    ['is cut off', (raw) => [raw.slice(0, -2)], unreadable],
    ['goes on after its end', (raw) => [`${raw}00`], unreadable],
    [
      'has a field too many',
      (raw) => [edit(raw, (items) => [...items, '0x01'])],
      unreadable,
    ],
    [
      'is not signed',
      (raw) => [edit(raw, (items) => [...items.slice(0, -2), '0x', '0x'])],
      '[0] is not signed.',
    ],
    [
      'names no chain',
      (raw) => [edit(raw, ([, ...items]) => ['0x', ...items])],
      unreadable,
    ],
  ])('is refused where it %s', async (_how, change, reason) => {
    const { sendRaw, pool, activity } = await createRawBench();
    expect(await refusalOf(sendRaw(change(await sign())))).toStrictEqual({
      code: -32602,
      message: `${METHOD}: params${reason}`,
    });
    expect([pool.size, await activity()]).toStrictEqual([0, []]);
  });

  it('counts for the limit of its origin', async () => {
    const { sendRaw } = await createRawBench();
    for (let call = 0; call < 120; call += 1) await sendRaw([]).catch(() => null);
    expect(await refusalOf(sendRaw([await sign()]))).toHaveProperty('code', -32005);
  });
});
