/** @jsxImportSource preact */
// The section “Methods”: every method that sites may call, each with a form.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Card, Section } from '../components';
import { useSession } from '../session';
import { MethodForm } from './MethodForm';
import type { MethodFormProps } from './MethodForm';
import type { Known } from './given';
import { methodGroups } from './rows';
import { toGiven } from './to-given';

/** Draw the section. What one form was answered stands in the examples of the next. */
export function Methods(): JSX.Element {
  const session = useSession();
  const [known, setKnown] = useState<Known>({});
  const given = toGiven(session, known);
  const learn = (more: Known): void => setKnown((before) => ({ ...before, ...more }));
  return (
    <Section
      id="methods"
      title="Methods"
      lead="What any site may ask of the snap. Each form has an example that works; code to copy stands beside it."
    >
      {methodGroups.map(({ title, rows }) => (
        <Card key={title} title={title}>
          <div class="methods">
            {rows.map((row) => (
              <Method key={row.name} row={row} given={given} learn={learn} />
            ))}
          </div>
        </Card>
      ))}
    </Section>
  );
}

// A form is drawn once it is opened, and keeps what was typed when it is closed.
function Method(props: MethodFormProps): JSX.Element {
  const { name, about } = props.row;
  const [wasOpened, open] = useState(false);
  return (
    <details class="method" onToggle={() => open(true)}>
      <summary>
        <code>{name}</code> <span class="method-about">{about}</span>
      </summary>
      {wasOpened && <MethodForm {...props} />}
    </details>
  );
}
