import { randomBytes } from 'node:crypto'
import type { ClientAccess } from './client-access.ts'
import type { SignIn } from './sign-in.ts'

/** The pages of a service over HTTP, beside `/mcp`. */
export interface ServicePages {
  /** Answers a request. `undefined`: there is no such page. */
  answer(request: Request): Promise<Response | undefined>
}

/** Opens the pages of a service that knows who its clients are; `undefined` for another one. `key`: 32 bytes that every replica has; absent: there is no store. */
export async function openServicePages(
  access: Exclude<ClientAccess, { kind: 'refused' }>,
  {
    key = randomBytes(32),
    publicUrl,
    more,
  }: {
    key: Uint8Array | undefined
    publicUrl: string | undefined
    /** Creates further pages. */
    more?: ((signIn: SignIn) => ServicePages['answer']) | undefined
  },
): Promise<ServicePages | undefined> {
  if (access.kind === 'token') return undefined
  const { createSignIn } = await import('./sign-in.ts')
  const { createIssuerSignIn } = await import('./issuer-sign-in.ts')
  const { listClients, issuer } = access
  const signIn = createSignIn({
    key,
    listClients,
    ...(issuer && { issuer: createIssuerSignIn(issuer) }),
    ...(publicUrl !== undefined && { publicOrigin: new URL(publicUrl).origin }),
  })
  const others = more?.(signIn)
  return { answer: async (request) => (await signIn.answer(request)) ?? (await others?.(request)) }
}
