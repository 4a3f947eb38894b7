// The home page's tab of requests that wait: MetaMask's, where the user chose to approve them
// here. Approving shows the method's own confirmation first.
import { RequestsTab } from '../../ui/home/requests';
import type { RequestsView } from '../../ui/home/requests';
import { info } from '../../ui/notice';
import { toPage } from './paging';
import { toSigningServices } from './signing';
import { defineTab } from './tab';

/** Requests that wait for approval. */
export const requestsTab = defineTab<Omit<RequestsView, 'translate'>>({
  label: 'home.tab.requests',
  isLive: true,
  load: async ({ page }, { requests, repository, store }) => {
    const [waiting, records, { settings }] = await Promise.all([
      requests.list(),
      repository.list(),
      store.read(),
    ]);
    const { rows, ...where } = toPage(waiting, page);
    const addresses = new Map(records.map(({ id, address }) => [id, address]));
    return {
      ...where,
      isAsynchronous: settings.approvalMode === 'asynchronous',
      waiting: rows.map(({ id, account, origin, scope, request }) => ({
        id,
        origin,
        chain: /^eip155:\d+$/u.test(scope) ? scope : undefined,
        account: addresses.get(account),
        method: request.method,
      })),
    };
  },
  draw: (data, { translate }) => RequestsTab({ translate, ...data }),
  actions: {
    approve: async ({ argument: id = '' }, place, services) => {
      const { requests, loadTranslate } = services;
      const { origin } = await requests.get(id);
      await requests.approve(id, toSigningServices(origin, true, services));
      const translate = await loadTranslate();
      return { ...place, notices: [info(translate('requests.approved'))] };
    },
    reject: async ({ argument: id = '' }, place, { requests, loadTranslate }) => {
      await requests.reject(id);
      const translate = await loadTranslate();
      return { ...place, notices: [info(translate('requests.rejected'))] };
    },
  },
});
