// The three levels of fees as figures: what a transaction offers at most, what it leaves to
// whoever includes it, how long it waits, and what a plain transfer costs.
import { Bold, Box, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { Field } from '../components/Field';
import { toShownCoins, toShownDuration, toShownFee } from '../format';
import type { Translate } from '../i18n';
import { levelKeys } from '../market-words';
import type { LevelName } from '../market-words';

/** Gas of a plain transfer. */
const TRANSFER_GAS = 21_000n;

const names = ['low', 'medium', 'high'] as const;

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** The levels of a chain; fees in wei. */
export type GasLevelsView = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  levels: Record<LevelName, Fees>;
  /** Undefined on a chain that has a gas price instead. */
  baseFee: bigint | undefined;
  /** Time until inclusion in ms, where the source tells. */
  waits: Record<LevelName, { min: number; max: number }> | undefined;
};

/** Draw the levels. */
export function GasLevels(view: GasLevelsView): BoxElement {
  return (
    <Box>
      {names.map((name) => (
        <Level name={name} view={view} />
      ))}
    </Box>
  );
}

function Level({
  name,
  view,
}: {
  name: LevelName;
  view: GasLevelsView;
}): SectionElement {
  const { translate, chain, levels, baseFee, waits } = view;
  const { maxFeePerGas, maxPriorityFeePerGas } = levels[name];
  const wait = waits?.[name];
  const cost = toShownCoins(maxFeePerGas * TRANSFER_GAS, translate, chain);
  const isPrice = baseFee === undefined;
  return (
    <Section>
      <Text>
        <Bold>{translate(levelKeys[name])}</Bold>
      </Text>
      <Field
        label={translate(isPrice ? 'field.gasPrice' : 'field.maxFee')}
        value={toShownFee(maxFeePerGas, translate)}
      />
      {isPrice ? null : (
        <Field
          label={translate('field.priorityFee')}
          value={toShownFee(maxPriorityFeePerGas, translate)}
        />
      )}
      {wait ? (
        <Field label={translate('gas.wait')} value={toWait(wait, translate)} />
      ) : null}
      <Field label={translate('gas.transfer')} value={cost} />
    </Section>
  );
}

function toWait(
  { min, max }: { min: number; max: number },
  translate: Translate,
): string {
  const longest = toShownDuration(max, translate);
  if (min === max) return longest;
  return translate('gas.waitRange', {
    min: toShownDuration(min, translate),
    max: longest,
  });
}
