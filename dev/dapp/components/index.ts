// What every section draws with.
export { toFailure, toText, useAction } from './action';
export type { Action, Failure } from './action';
export { Button, CopyButton } from './Button';
export { Card, Empty, Pill, Section } from './Card';
export { Code } from './Code';
export { Dialog } from './Dialog';
export { AreaField, SelectField, TextField } from './Field';
export { Output } from './Output';
