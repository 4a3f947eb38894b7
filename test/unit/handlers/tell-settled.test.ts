import { createTellSettled } from '../../../src/handlers/tell-settled';
import type { SentTransaction } from '../../../src/state/sent-transaction';
import { SENT } from '../../support/sent-transactions';
import { withoutFields } from '../../support/transactions';
import { english, translate } from '../../support/view';

const HASH = '0x00000000…000001';

/** Included, with a success or without one. */
const includedAs = (fields: { success?: boolean }): SentTransaction =>
  ({
    ...SENT,
    inclusion: { ...withoutFields(SENT.inclusion ?? {}, ['success']), ...fields },
  }) as SentTransaction;

const failed = includedAs({ success: false });

/** Tell, and list what was notified. */
async function tell(
  settled: SentTransaction[],
  isWanted = async (): Promise<boolean> => Promise.resolve(true),
): Promise<string[]> {
  const told: string[] = [];
  await createTellSettled({
    isWanted,
    loadTranslate: async () => Promise.resolve(translate),
    notify: async (message) => {
      await Promise.resolve();
      told.push(message);
    },
  })(settled);
  return told;
}

const as = (status: SentTransaction['status']): SentTransaction =>
  ({ ...withoutFields(SENT, ['inclusion']), status }) as SentTransaction;

describe('telling what was settled', () => {
  it.each([
    ['included', SENT, `Transaction ${HASH} on eip155:1 was included in block 6.`],
    ['failed', failed, `Transaction ${HASH} on eip155:1 failed in block 6.`],
    [
      'replaced',
      as('replaced'),
      `Transaction ${HASH} on eip155:1 was replaced by another one.`,
    ],
    [
      'dropped',
      as('dropped'),
      `Transaction ${HASH} on eip155:1 was dropped: the network does not know it any more. Send it again if you still want it.`,
    ],
    [
      'unknown',
      as('unknown'),
      `What became of transaction ${HASH} on eip155:1 cannot be found out.`,
    ],
  ])('says of one that it is %s', async (_status, sent, message) => {
    expect(await tell([sent])).toStrictEqual([message]);
  });

  it('counts success as such where the receipt does not tell of it', async () => {
    expect(await tell([includedAs({}), SENT, failed, as('dropped')])).toStrictEqual([
      "4 transactions were settled, 2 of them not as hoped. Tollkeeper's page lists them.",
    ]);
  });

  it('stays below what the wallet shows, however many there are', async () => {
    const [message = ''] = await tell(Array.from({ length: 100 }, () => failed));
    expect(message.length).toBeLessThan(500);
    const names = Object.keys(english).filter((name) => name.startsWith('notify.'));
    expect(names).toHaveLength(6);
  });

  it('says nothing to whoever does not want to be told', async () => {
    expect(await tell([SENT], async () => Promise.resolve(false))).toStrictEqual([]);
  });

  it('says nothing where nobody can tell whether it is wanted', async () => {
    const fault = async (): Promise<never> => Promise.reject(new Error('locked'));
    expect(await tell([SENT], fault)).toStrictEqual([]);
  });

  it('never fails', async () => {
    const fault = async (): Promise<never> => Promise.reject(new Error('too many'));
    const loadTranslate = async (): Promise<typeof translate> =>
      Promise.resolve(translate);
    const isWanted = async (): Promise<boolean> => Promise.resolve(true);
    const silent = createTellSettled({ notify: fault, loadTranslate, isWanted });
    await expect(silent([SENT])).resolves.toBeUndefined();
    const mute = createTellSettled({
      notify: async () => Promise.resolve(),
      loadTranslate: fault,
      isWanted,
    });
    await expect(mute([SENT])).resolves.toBeUndefined();
  });
});
