// What came of restoring accounts, in words.
import type { NotTaken } from '../../keyring/announce';
import type { Restored } from '../../keyring/restore-accounts';
import { toShownChain, toShownCount, toShownLine } from '../../ui/format';
import type { TextKey, Translate } from '../../ui/i18n';
import { info, warning } from '../../ui/notice';
import type { Notice } from '../../ui/notice';

/** Most accounts or chains that one notice names. */
const MAX_NAMED = 5;

/** Say what was restored and what was not. */
export function describeRestored(restored: Restored, translate: Translate): Notice[] {
  const { accounts, recovered, unchanged, unchecked } = restored;
  const { declined, failed, skipped } = restored;
  const count = (rows: readonly unknown[]): string =>
    toShownCount(rows.length, translate);
  const summary = translate('restore.done', {
    restored: count([...accounts, ...recovered]),
    unchanged: count(unchanged),
  });
  return [
    info(summary),
    ...warn('restore.declined', declined, translate),
    ...warn('restore.skipped', skipped, translate),
    ...warn('restore.unchecked', unchecked, translate),
    ...failed.map(({ name, address, message }) =>
      warning(
        translate('restore.failed', { name, address, reason: toShownLine(message) }),
      ),
    ),
    ...describeUnreachable(restored, translate),
    ...(restored.isComplete ? [] : [warning(translate('restore.incomplete'))]),
  ];
}

function warn(key: TextKey, rows: readonly NotTaken[], translate: Translate): Notice[] {
  if (rows.length === 0) return [];
  const names = rows.slice(0, MAX_NAMED).map(({ name }) => name);
  const values = { count: toShownCount(rows.length, translate), names: toList(names) };
  return [warning(translate(key, values))];
}

function describeUnreachable(
  { unreachable }: Restored,
  translate: Translate,
): Notice[] {
  if (unreachable.length === 0) return [];
  const chains = unreachable
    .slice(0, MAX_NAMED)
    .map((chain) => toShownChain(chain, translate));
  return [warning(translate('restore.unreachable', { chains: toList(chains) }))];
}

function toList(names: readonly string[]): string {
  return names.join(', ');
}
