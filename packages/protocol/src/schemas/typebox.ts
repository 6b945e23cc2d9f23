import type * as TypeBox from 'typebox'
import { describeMissingPeer } from '../text/missing-peer.ts'

/** Loaded here, so that who lacks the optional peer learns what to add. */
export const Type: typeof TypeBox = await import('typebox').catch((cause: unknown) => {
  throw describeMissingPeer(cause, { entry: '@toolblocks/protocol/schemas', peer: 'typebox' })
})
