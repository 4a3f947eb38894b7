// Telling the user what became of what was sent: one notification a chain and poll, since
// the wallet shows five a minute.
import type { SentTransaction } from '../state/sent-transaction';
import type { TextKey, Translate } from '../ui/i18n';

/** What telling needs. */
type TellParts = {
  notify: (message: string) => Promise<void>;
  loadTranslate: () => Promise<Translate>;
  /** Whether the user wants to be told. */
  isWanted: () => Promise<boolean>;
};

/** Create the one who tells; it never fails, since the home page tells as well. */
export function createTellSettled({
  notify,
  loadTranslate,
  isWanted,
}: TellParts): (settled: readonly SentTransaction[]) => Promise<void> {
  return async (settled) => {
    try {
      if (await isWanted()) await notify(write(settled, await loadTranslate()));
    } catch {
      // The wallet shows no more for now.
    }
  };
}

function write(settled: readonly SentTransaction[], translate: Translate): string {
  const [only, ...others] = settled;
  if (only && others.length === 0) return writeOne(only, translate);
  const failed = settled.filter((each) => toKey(each) !== 'notify.included').length;
  return translate('notify.several', {
    count: String(settled.length),
    failed: String(failed),
  });
}

function writeOne(sent: SentTransaction, translate: Translate): string {
  const { hash, chain, inclusion } = sent;
  return translate(toKey(sent), {
    hash: `${hash.slice(0, 10)}…${hash.slice(-6)}`,
    chain,
    block: inclusion ? String(BigInt(inclusion.blockNumber)) : '',
  });
}

const keys: Record<SentTransaction['status'], TextKey> = {
  pending: 'notify.unknown',
  included: 'notify.included',
  replaced: 'notify.replaced',
  dropped: 'notify.dropped',
  unknown: 'notify.unknown',
};

function toKey({ status, inclusion }: SentTransaction): TextKey {
  return inclusion?.success === false ? 'notify.failed' : keys[status];
}
