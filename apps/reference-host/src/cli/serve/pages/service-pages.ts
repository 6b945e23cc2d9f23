import { randomBytes } from 'node:crypto'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { describeHost } from '../../../process/agent-host.ts'
import type { ClientAccess } from '../clients/client-access.ts'
import { redirect } from '../sign-in/page-frame.ts'
import { PAGES_PATH } from './pages-path.ts'
import type { PeoplePages, PeoplePagesOptions } from './people-pages.ts'
import type { SignIn } from '../sign-in/sign-in.ts'

/** The pages of a service over HTTP, beside `/mcp`. */
export interface ServicePages {
  /** Answers a request. `undefined`: there is no such page. */
  answer(request: Request): Promise<Response | undefined>
}

/** What people read on the pages of a service. */
export interface ServedRecord extends Pick<PeoplePagesOptions, 'name' | 'findRights' | 'store'> {
  /** The folder of the workspace. */
  root: string
}

/** Returns why a service cannot have pages of its record; `undefined` if it can. */
export function findPagesProblem(
  access: Exclude<ClientAccess, { kind: 'refused' }>,
  store: ConversationStore | undefined,
): string | undefined {
  if (access.kind === 'token')
    return '--pages needs people who can be told apart: add [serve.clients.<name>] or [serve.oauth], or run "toolblocks serve tokens add NAME"'
  return store
    ? undefined
    : '--pages needs a store: set [store] url in toolblocks.toml or in the settings'
}

/**
 * Opens the pages of a service that knows who its clients are; `undefined` for another one. `key`: 32 bytes that every replica has; absent: there is no store. `record`: what people
 * read there; absent: they only sign in.
 */
export async function openServicePages(
  access: Exclude<ClientAccess, { kind: 'refused' }>,
  {
    key = randomBytes(32),
    publicUrl,
    record,
    more,
  }: {
    key: Uint8Array | undefined
    publicUrl: string | undefined
    record?: ServedRecord | undefined
    /** Creates further pages. */
    more?: ((signIn: SignIn) => ServicePages['answer']) | undefined
  },
): Promise<ServicePages | undefined> {
  if (access.kind === 'token') return undefined
  const { createSignIn } = await import('../sign-in/sign-in.ts')
  const { createIssuerSignIn } = await import('../sign-in/issuer-sign-in.ts')
  const { listClients, issuer } = access
  const signIn = createSignIn({
    key,
    listClients,
    ...(issuer && { issuer: createIssuerSignIn(issuer) }),
    ...(publicUrl !== undefined && { publicOrigin: new URL(publicUrl).origin }),
  })
  const others = more?.(signIn)
  if (!record)
    return {
      answer: async (request) => (await signIn.answer(request)) ?? (await others?.(request)),
    }
  const people = await openPeoplePages(signIn, record)
  return {
    answer: async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const isReading = request.method === 'GET'
      if (isReading && pathname === '/') return redirect(PAGES_PATH)
      if (isReading && pathname === '/sign-in' && searchParams.size === 0)
        return redirect(signIn.getAddress(PAGES_PATH))
      const leaving = pathname === '/sign-out' ? await signIn.find(request) : undefined
      const answered = await signIn.answer(request)
      if (leaving && request.method === 'POST' && answered?.status === 303)
        people.endStreams(leaving)
      return answered ?? (await people.answer(request)) ?? (await others?.(request))
    },
  }
}

async function openPeoplePages(
  signIn: SignIn,
  { root, ...record }: ServedRecord,
): Promise<PeoplePages> {
  const { createPeoplePages } = await import('./people-pages.ts')
  const { loadContentReaders } = await import('@toolblocks/renderer/readers')
  const readers = await loadContentReaders()
  return createPeoplePages(signIn, {
    ...record,
    options: { root, readers, tallText: 'fold', describeHost },
    gallery: async () => (await import('../../../demo/gallery.ts')).GALLERY,
  })
}
