/** @jsxImportSource preact */
// How the page is divided: sections of it, cards of a section.
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** Draw a section of the page, which the navigation leads to by its id. */
export function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section id={id} class="section" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{lead}</p>
      </header>
      {children}
    </section>
  );
}

/** Draw a card with a title of its own. */
export function Card({
  title,
  aside,
  children,
}: {
  title: string;
  /** What stands beside the title: a pill, a button. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <article class="card" aria-labelledby={id}>
      <header class="card-head">
        <h3 id={id}>{title}</h3>
        {aside}
      </header>
      {children}
    </article>
  );
}

/** Draw that there is nothing yet, and what to do about it. */
export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

/** Draw a state in a word or two. */
export function Pill({
  tone = 'quiet',
  children,
}: {
  tone?: 'good' | 'warn' | 'bad' | 'quiet';
  children: ComponentChildren;
}): JSX.Element {
  return <span class={`pill ${tone}`}>{children}</span>;
}
