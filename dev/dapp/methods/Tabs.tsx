/** @jsxImportSource preact */
// Tabs as WAI-ARIA describes them: arrow keys go from one to the next, Home and End to the ends.
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

/** A tab. */
export type Tab<Id extends string> = { id: Id; title: string };

/** Draw tabs, and what the chosen one shows. */
export function Tabs<Id extends string>({
  tabs,
  label,
  draw,
}: {
  tabs: readonly [Tab<Id>, ...Tab<Id>[]];
  /** What the tabs are of. */
  label: string;
  draw: (id: Id) => JSX.Element;
}): JSX.Element {
  const own = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<Id>(tabs[0].id);
  const move = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ id }) => id === chosen);
    const to = findTarget(event.key, { index, count: tabs.length });
    const tab = to === undefined ? undefined : tabs[to];
    if (to === undefined || !tab) return;
    event.preventDefault();
    choose(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${own}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${own}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${own}-panel`} aria-labelledby={`${own}-${chosen}`}>
        {draw(chosen)}
      </div>
    </div>
  );
}

function findTarget(
  key: string,
  { index, count }: { index: number; count: number },
): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: (index + count - 1) % count,
    ArrowRight: (index + 1) % count,
    Home: 0,
    End: count - 1,
  };
  return targets[key];
}
