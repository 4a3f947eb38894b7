// What a test of a server found, in words.
import type { Finding, ServerFacts } from '../../chains/probe';
import { toShownChain, toShownCount, toShownFee, toShownLine } from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import { danger, info } from '../../ui/notice';
import type { Notice } from '../../ui/notice';

/** Most EntryPoints that are named. */
const MAX_NAMED = 5;

/** Say what was found at a server, which is called by its label. */
export function describeFinding(
  server: string,
  finding: Finding | undefined,
  translate: Translate,
): Notice[] {
  if (!finding) return [info(translate('test.none', { server }))];
  const { facts, ms, fault } = finding;
  const answered = translate('test.answered', {
    server,
    ms: toShownCount(ms, translate),
  });
  const told = [answered, ...describeFacts(facts, translate)].join(' ');
  if (fault === undefined) return [info(told)];
  const words = translate('test.fault', { server, fault: toShownLine(fault) });
  return [danger(words), info(told)];
}

function describeFacts(
  { chain, block, entryPoints, fees }: ServerFacts,
  translate: Translate,
): string[] {
  return [
    ...(chain === undefined
      ? []
      : [translate('test.chain', { chain: toShownChain(chain, translate) })]),
    ...(block === undefined
      ? []
      : [translate('test.block', { block: toShownCount(block, translate) })]),
    ...(entryPoints === undefined
      ? []
      : [
          translate('test.entryPoints', {
            count: toShownCount(entryPoints.length, translate),
            entryPoints: entryPoints.slice(0, MAX_NAMED).join(', '),
          }),
        ]),
    ...(fees === undefined
      ? []
      : [
          translate('test.fees', {
            base: toShownFee(fees.base, translate),
            medium: toShownFee(fees.medium, translate),
          }),
        ]),
  ];
}
