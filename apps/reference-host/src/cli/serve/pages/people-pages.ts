import type { ConversationStore } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import { createViewer, guardServicePages, type ViewerOptions } from '@toolblocks/viewer'
import { hasCallContinued } from '../../../workspace/questions/continued-call.ts'
import { describeNext } from '../../../workspace/questions/describe-next.ts'
import { getQuestionOptions } from '../../../workspace/questions/question-options.ts'
import { type ConversationOwners, readOwners } from './conversation-owners.ts'
import { redirect } from '../sign-in/page-frame.ts'
import { PAGES_PATH } from './pages-path.ts'
import type { ReadingRights } from '../clients/client-rights.ts'
import { restrictStore } from './restrict-store.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { endStreams } from './end-streams.ts'

/** What people read on the pages of a service. */
export interface PeoplePagesOptions {
  store: ConversationStore
  /** The name of the service. */
  name: string
  /** How the pages show results. */
  options: ViewerOptions['options']
  gallery?: ViewerOptions['gallery']
  /** Returns what a person may read and answer. */
  findRights(identity: ClientIdentity): ReadingRights
}

/** The pages of all people. */
export interface PeoplePages {
  /** `undefined`: the address is no page. */
  answer(request: Request): Promise<Response | undefined>
  /** Ends what follows changes for a person who signs out. Other browsers of hers follow again. */
  endStreams(identity: ClientIdentity): void
}

/** The pages of one person. */
type PersonalPages = (request: Request) => Promise<Response>

/** People whose pages, with what was counted for them, are kept. */
const MAX_PEOPLE = 100

/** Creates the pages of a store for people who sign in, each with what she may read and answer. */
export function createPeoplePages(
  { find, getAddress }: Pick<SignIn, 'find' | 'getAddress'>,
  pages: PeoplePagesOptions,
): PeoplePages {
  const owners = readOwners(pages.store)
  /** How often each person has signed out. */
  const ends = new Map<string, number>()
  const known = new Map<string, PersonalPages>()

  const describe = (identity: ClientIdentity): string => {
    const { reads, answers } = pages.findRights(identity)
    return JSON.stringify([identity.id, identity.name, reads, answers])
  }

  function open(identity: ClientIdentity): PersonalPages {
    const key = describe(identity)
    const personal = known.get(key) ?? createPersonalPages(identity, { ...pages, owners })
    known.delete(key)
    known.set(key, personal)
    const [oldest] = known.keys()
    if (known.size > MAX_PEOPLE && oldest !== undefined) known.delete(oldest)
    return personal
  }

  async function answer(request: Request): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url)
    if (`${pathname}/` === PAGES_PATH) return redirect(PAGES_PATH)
    if (!pathname.startsWith(PAGES_PATH)) return undefined
    const identity = await find(request)
    if (!identity) return refuse(request, getAddress(`${pathname}${search}`))
    const begun = ends.get(identity.id)
    const who = describe(identity)
    return endStreams(await open(identity)(request), async () => {
      const now = await find(request)
      return now !== undefined && describe(now) === who && ends.get(now.id) === begun
    })
  }

  return { answer, endStreams: ({ id }) => void ends.set(id, (ends.get(id) ?? 0) + 1) }
}

/** A person who opens a page signs in first; a script of a page only learns that nobody is signed in. */
function refuse({ method, headers }: Request, address: string): Response {
  const isPage = headers.get('accept')?.includes('text/html') === true
  if (method === 'GET' && isPage) return redirect(address)
  return new Response('Nobody is signed in.\n', {
    status: 401,
    headers: { 'cache-control': 'no-store' },
  })
}

function createPersonalPages(
  identity: ClientIdentity,
  {
    store,
    name,
    options,
    gallery,
    findRights,
    owners,
  }: PeoplePagesOptions & { owners: ConversationOwners },
): PersonalPages {
  const { id } = identity
  const rights = findRights(identity)
  const { answers } = rights
  const isOwn = async ({ conversation }: PendingQuestion): Promise<boolean> =>
    (await owners.find(conversation)) === id
  const viewer = createViewer({
    store: restrictStore(store, owners, { id, ...rights }),
    name,
    options,
    isAsked: getQuestionOptions(store).isAsked,
    account: { name: identity.name, signOut: '/sign-out' },
    ...(gallery && { gallery }),
    ...(answers !== 'none' && {
      answers: {
        describeNext: async (question) => await describeNext(store, question),
        hasContinued: async (question) => await hasCallContinued(store, question),
        mayAnswer: async (question) => answers === 'all' || (await isOwn(question)),
        by: `page:${identity.name}`,
      },
    }),
  })
  const guarded = guardServicePages(viewer, {
    path: PAGES_PATH,
    answers: answers === 'none' ? 'refuse' : 'accept',
  })
  return async (request) => {
    const response = await guarded(request)
    if (response.status < 500) return response
    // The reason may contain the address of the store.
    await response.body?.cancel()
    const headers = new Headers(response.headers)
    headers.set('retry-after', '5')
    const text = 'The store cannot be read now. Try again later.\n'
    return new Response(text, { status: 503, headers })
  }
}
