// How far a long piece of work on accounts has come, and a way to end it.
import { Button, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import { toShownCount } from '../format';
import type { TextKey, Translate } from '../i18n';

/** How far the work has come. */
export type ShownProgress = {
  phase: 'checking' | 'searching' | 'announcing';
  done: number;
  total: number;
};

const phases: Record<ShownProgress['phase'], TextKey> = {
  checking: 'progress.checking',
  searching: 'progress.searching',
  announcing: 'progress.announcing',
};

/** Draw how far it has come. */
export function drawProgress(
  { phase, done, total }: ShownProgress,
  translate: Translate,
): SectionElement {
  const values = {
    done: toShownCount(done, translate),
    total: toShownCount(total, translate),
  };
  return (
    <Section>
      <Row label={translate(phases[phase])}>
        <Text>{translate('progress.count', values)}</Text>
      </Row>
      <Button name="home.accounts.cancel" size="sm">
        {translate('progress.cancel')}
      </Button>
    </Section>
  );
}
