import { openStore } from '@toolblocks/conversation-store'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { expect, test } from 'vitest'
import { createPeoplePages } from './people-pages.ts'

test('while the store fails, pages answer 503 and when to come again, and never where the store is', async () => {
  const store = await openStore('memory:')
  const pages = createPeoplePages(
    {
      find: async () => ({ id: '["client","ann"]', name: 'ann', groups: [], scopes: [] }),
      getAddress: () => '/sign-in',
    },
    {
      store,
      name: 'tools',
      options: { root: '/', readers: await loadContentReaders(), tallText: 'fold' },
      findRights: () => ({ reads: 'own', answers: 'own' }),
    },
  )
  await store.close()
  const response = await pages.answer(new Request('http://127.0.0.1/pages/'))
  expect(response?.status).toBe(503)
  expect(response?.headers.get('retry-after')).toBe('5')
  expect(await response?.text()).toBe('The store cannot be read now. Try again later.\n')
})
