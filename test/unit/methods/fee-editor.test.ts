import { Text } from '@metamask/snaps-sdk/jsx';

import type { FeeName } from '../../../src/eth/fee-fields';
import type { Transaction } from '../../../src/eth/transaction';
import type { FeeLevels } from '../../../src/fees/level';
import type { LiveConfirmation } from '../../../src/methods';
import { createFeeEditor } from '../../../src/methods/fee-editor';
import type {
  FeeEditing,
  FeeEditor,
  FeePicture,
} from '../../../src/methods/fee-editor';
import { FEE_CHOICE, feeInputs } from '../../../src/ui/confirm/fee-section';
import { SUGGESTED_LEVELS } from '../../support/fees';
import { make } from '../../support/raw-transactions';
import { refusalIn } from '../../support/refusal';
import { transactions } from '../../support/transactions';
import { translate } from '../../support/view';

const BOTH: FeeName[] = ['maxFeePerGas', 'maxPriorityFeePerGas'];

const LEVELS: FeeLevels = { ...SUGGESTED_LEVELS, at: 1_000 };

const waits = LEVELS.market?.waits;

const DEARER: FeeLevels = {
  ...LEVELS,
  at: 9_000,
  high: { maxFeePerGas: 99_000_000_000n, maxPriorityFeePerGas: 9n },
};

const FILLED = { ...make(transactions['EIP-1559']), ...LEVELS.medium } as Transaction;

type Bench = {
  editor: FeeEditor;
  live: LiveConfirmation;
  /** What was drawn, newest last. */
  pictures: FeePicture[];
  /** Draw, and have it stand on the screen. */
  draw: () => FeePicture;
};

function setup(about: Partial<FeeEditing> = {}): Bench {
  const editor = createFeeEditor({
    subjects: [{ transaction: FILLED, open: BOTH }],
    level: 'medium',
    levels: LEVELS,
    measures: { levels: LEVELS, balance: 5n, dataFees: [] },
    remeasure: () => Promise.resolve({ levels: DEARER, balance: 7n, dataFees: [] }),
    now: () => 10_000,
    ...about,
  });
  const pictures: FeePicture[] = [];
  const live = editor.toConfirmation((picture) => {
    pictures.push(picture);
    return () => Text({ children: 'drawn' });
  }) as LiveConfirmation;
  const render = typeof live === 'function' ? (live as () => unknown) : live.render;
  const draw = (): FeePicture => {
    render(translate);
    if (typeof live !== 'function') live.onShown?.();
    return pictures.at(-1) as FeePicture;
  };
  draw();
  return { editor, live, pictures, draw };
}

const feesOf = ([transaction]: readonly Transaction[]): unknown => {
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction as Transaction & {
    type: '0x2';
  };
  return { maxFeePerGas, maxPriorityFeePerGas };
};

const choose = (value: string): { name: string; value: string } => ({
  name: FEE_CHOICE,
  value,
});

describe('fees that are ours to fill', () => {
  it('begin with the level that the user prefers', () => {
    const { editor, pictures } = setup();
    expect(pictures[0]).toMatchObject({
      isUnpriced: false,
      measures: { balance: 5n },
      fees: { value: 'medium', inputs: [], source: 'gas-api', age: 9_000 },
    });
    expect(pictures[0]?.fees?.options).toStrictEqual([
      { name: 'low', fee: LEVELS.low.maxFeePerGas, wait: waits?.low },
      { name: 'medium', fee: LEVELS.medium.maxFeePerGas, wait: waits?.medium },
      { name: 'high', fee: LEVELS.high.maxFeePerGas, wait: waits?.high },
    ]);
    expect(feesOf(editor.getApproved())).toStrictEqual(LEVELS.medium);
  });

  it('are those of the level that is chosen, once it is on the screen', async () => {
    const { editor, live, draw } = setup();
    expect(await live.onInput(choose('high'))).toBe(true);
    expect(feesOf(editor.getApproved())).toStrictEqual(LEVELS.medium);
    expect(draw().fees?.value).toBeUndefined();
    expect(feesOf(editor.getApproved())).toStrictEqual(LEVELS.high);
    expect(await live.onInput(choose('high'))).toBe(false);
    expect(await live.onInput(choose('dear'))).toBe(false);
    expect(await live.onInput({ name: 'other' })).toBe(false);
  });

  it('follow the market at a level, but not before that is on the screen', async () => {
    const { editor, live, draw } = setup();
    await live.onInput(choose('high'));
    draw();
    expect(await live.refresh?.run()).toBe(true);
    expect(feesOf(editor.getApproved())).toStrictEqual(LEVELS.high);
    expect(draw()).toMatchObject({ measures: { balance: 7n }, fees: { age: 1_000 } });
    expect(feesOf(editor.getApproved())).toStrictEqual(DEARER.high);
  });

  it('stay as they are where the market cannot be seen', async () => {
    const { live, draw } = setup({ remeasure: () => Promise.resolve(undefined) });
    await live.refresh?.run();
    expect(draw()).toMatchObject({ measures: { balance: 5n }, fees: { age: 9_000 } });
  });

  it('are typed, beginning with those that were there', async () => {
    const { editor, live, draw } = setup();
    await live.onInput(choose('custom'));
    expect(draw().fees?.inputs).toStrictEqual([
      { name: 'maxFeePerGas', value: '22.083436402', problem: undefined },
      { name: 'maxPriorityFeePerGas', value: '0.1', problem: undefined },
    ]);
    const typed = { name: feeInputs.maxFeePerGas, value: '30' };
    expect(await live.onInput(typed)).toBe(true);
    // A value that is given again would undo what is typed meanwhile.
    expect(draw().fees?.inputs.map(({ value }) => value)).toStrictEqual([
      undefined,
      undefined,
    ]);
    await live.refresh?.run();
    draw();
    expect(feesOf(editor.getApproved())).toStrictEqual({
      maxFeePerGas: 30_000_000_000n,
      maxPriorityFeePerGas: 100_000_000n,
    });
  });

  it('are not signed while they are wrong', async () => {
    const { editor, live, draw } = setup();
    await live.onInput(choose('custom'));
    draw();
    await live.onInput({ name: feeInputs.maxPriorityFeePerGas, value: 'much' });
    expect(draw()).toMatchObject({
      isUnpriced: true,
      fees: { inputs: [{}, { problem: { kind: 'malformed' } }] },
    });
    expect(live.accept?.({})).toBe(false);
    expect(await refusalIn(() => editor.getApproved())).toHaveProperty('code', 4001);
  });

  it('can be approved only as they stand on the screen', () => {
    const { live, draw } = setup();
    expect(live.accept?.({ [FEE_CHOICE]: 'medium' })).toBe(true);
    expect(live.accept?.({ [FEE_CHOICE]: 'high' })).toBe(false);
    draw();
    expect(live.accept?.({ [FEE_CHOICE]: 'high' })).toBe(true);
    const typed = {
      [FEE_CHOICE]: 'custom',
      [feeInputs.maxFeePerGas]: '30',
      [feeInputs.maxPriorityFeePerGas]: '1',
    };
    expect(live.accept?.(typed)).toBe(false);
    draw();
    expect(live.accept?.(typed)).toBe(true);
    expect(live.accept?.({ ...typed, [feeInputs.maxFeePerGas]: '31' })).toBe(false);
  });

  it('are one choice for several transactions', async () => {
    const subject = { transaction: FILLED, open: BOTH };
    const floored = { ...subject, priorityFloor: 10n ** 9n };
    const { editor, live, draw } = setup({ subjects: [subject, floored] });
    await live.onInput(choose('low'));
    expect(draw().fees?.options[0]?.fee).toBe(LEVELS.low.maxFeePerGas + 950_000_000n);
    expect(editor.getApproved().map((each) => feesOf([each]))).toStrictEqual([
      LEVELS.low,
      {
        maxFeePerGas: LEVELS.low.maxFeePerGas + 950_000_000n,
        maxPriorityFeePerGas: 10n ** 9n,
      },
    ]);
  });
});

describe('fees that the caller gave', () => {
  it('stand still, and are signed', () => {
    const subjects = [{ transaction: FILLED, open: [] }];
    const { editor, live, draw } = setup({ subjects, levels: undefined });
    expect(typeof live).toBe('function');
    expect(draw()).toMatchObject({ fees: undefined, isUnpriced: false });
    expect(editor.getApproved()).toStrictEqual([FILLED]);
  });
});
