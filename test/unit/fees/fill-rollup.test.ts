// Filling on rollups, whose nodes estimate in their own way, and at a level of the user's.
import { askedOf, refuses } from '../../support/fake-node';
import { PRICE_LEVELS } from '../../support/fees';
import { createFillBench, FROM, MARKET } from '../../support/fill-bench';
import type { FillBench } from '../../support/fill-bench';
import { refusalOf } from '../../support/refusal';
import { AUTHORIZATION, BLOB_HASH, TO } from '../../support/transactions';

const METHOD = 'linea_estimateGas';

const { medium } = MARKET;

const estimateOf = (priorityFeePerGas: bigint): Record<string, string> => ({
  baseFeePerGas: '0x7',
  gasLimit: '0xcf08',
  priorityFeePerGas: `0x${priorityFeePerGas.toString(16)}`,
});

const setup = (answer: unknown, levels = MARKET): FillBench =>
  createFillBench(levels, { [METHOD]: answer as never }, { chainId: 59_144n });

describe('filling on a rollup', () => {
  it("takes its estimate's gas without a margin, and raises both fees to its priority fee", async () => {
    const { fill, node } = setup(estimateOf(150_000_000n));
    expect(await fill({ data: '0xa9' })).toMatchObject({
      gasLimit: 53_000n,
      maxPriorityFeePerGas: 150_000_000n,
      maxFeePerGas: medium.maxFeePerGas + 50_000_000n,
    });
    const call = { from: FROM, to: TO, value: '0x1', data: '0xa9' };
    expect(node.calls).toContainEqual({ method: METHOD, params: [call] });
    expect(askedOf(node)).not.toContain('eth_estimateGas');
  });

  it.each([0n, 99_999_999n, 100_000_000n])(
    'leaves fees that cover a priority fee of %i',
    async (priorityFee) => {
      const { fill } = setup(estimateOf(priorityFee));
      expect(await fill({})).toMatchObject(medium);
    },
  );

  it('raises a gas price likewise', async () => {
    const { fill } = setup(estimateOf(9n), PRICE_LEVELS);
    expect(await fill({})).toMatchObject({ type: '0x0', gasPrice: 9n });
  });

  it('never goes beyond a maximum that is given', async () => {
    const { fill } = setup(estimateOf(150_000_000n));
    expect(await fill({ maxFeePerGas: '0x5' })).toMatchObject({
      maxFeePerGas: 5n,
      maxPriorityFeePerGas: 5n,
    });
  });

  it.each([-32601, -32000, -32602, -32603])(
    'falls to a plain estimate where its own fails with %i',
    async (code) => {
      const { fill } = setup(refuses({ code, message: 'no' }));
      expect(await fill({ data: '0xa9' })).toMatchObject({
        gasLimit: 120_000n,
        ...medium,
      });
    },
  );

  it('tells why it would revert, and does not ask twice', async () => {
    const { fill, node } = setup(refuses({ code: 3, message: 'execution reverted' }));
    expect(await refusalOf(fill({}))).toStrictEqual({
      code: 3,
      message: `${METHOD} at the wallet's node failed: execution reverted.`,
    });
    expect(askedOf(node)).not.toContain('eth_estimateGas');
  });

  it('refuses a priority fee that no market ever had', async () => {
    const { fill } = setup(estimateOf(10n ** 14n));
    expect(await refusalOf(fill({}))).toStrictEqual({
      code: -32002,
      message: 'The fees suggested (rollup-estimate) are not plausible.',
    });
  });

  it('does not take an answer for an estimate that is none', async () => {
    const { fill } = setup({ gasLimit: '0x1' });
    expect(await refusalOf(fill({}))).toHaveProperty('code', -32002);
  });

  it.each([refuses({ code: 3, message: 'no' }), estimateOf(10n ** 14n)])(
    'fills fees without its estimate where the gas is given (case %#)',
    async (answer) => {
      const { fill } = setup(answer);
      expect(await fill({ gas: '0x5208' })).toMatchObject({
        gasLimit: 21_000n,
        ...medium,
      });
    },
  );

  it('keeps gas that is given, and takes the priority fee alone', async () => {
    const { fill } = setup(estimateOf(150_000_000n));
    expect(await fill({ gas: '0x5208' })).toMatchObject({
      gasLimit: 21_000n,
      maxPriorityFeePerGas: 150_000_000n,
    });
  });

  it('asks for no estimate where gas and fees are given', async () => {
    const { fill, node } = setup(estimateOf(1n));
    await fill({ gas: '0x5208', gasPrice: '0x1', nonce: '0x1' });
    expect(node.calls).toStrictEqual([]);
  });
});

describe('filling at a level', () => {
  it.each(['low', 'medium', 'high'] as const)('takes that of %s', async (level) => {
    const { fill } = createFillBench(MARKET, {}, { level });
    expect(await fill({})).toMatchObject(MARKET[level]);
  });
});

describe('filling blobs and authorisations', () => {
  const blobs = { blobVersionedHashes: [BLOB_HASH] };

  it('takes twice the base fee of blobs', async () => {
    const { fill, node } = createFillBench(MARKET, { eth_blobBaseFee: '0x5' });
    expect(await fill(blobs)).toMatchObject({ type: '0x3', maxFeePerBlobGas: 10n });
    const call = { from: FROM, to: TO, value: '0x1', data: '0x', ...blobs };
    expect(node.calls).toContainEqual({ method: 'eth_estimateGas', params: [call] });
  });

  it('asks for none where it is given', async () => {
    const { fill, node } = createFillBench();
    const filled = await fill({ ...blobs, maxFeePerBlobGas: '0x1' });
    expect(filled).toHaveProperty('maxFeePerBlobGas', 1n);
    expect(askedOf(node)).not.toContain('eth_blobBaseFee');
  });

  it('estimates with the authorisations', async () => {
    const { fill, node } = createFillBench();
    await fill({ authorizationList: [AUTHORIZATION] });
    const [estimate] = node.calls.filter(({ method }) => method === 'eth_estimateGas');
    expect(estimate?.params[0]).toHaveProperty('authorizationList', [AUTHORIZATION]);
  });
});
