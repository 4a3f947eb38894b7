// Two rules that oxlint lacks. Importing their whole plugin would require ESLint.
import zones from 'eslint-plugin-import-x/rules/no-restricted-paths';
import order from 'eslint-plugin-import-x/rules/order';

// oxlint-disable-next-line import/no-default-export -- oxlint expects a default export.
export default {
  meta: { name: 'imports' },
  rules: { order, 'no-restricted-paths': zones },
};
