import type * as TypeBox from 'typebox'
import { describeMissingPeer } from '../text/missing-peer.ts'

/** Loaded here so that a missing optional peer gives an error that names it. */
export const Type: typeof TypeBox = await import('typebox').catch((cause: unknown) => {
  throw describeMissingPeer(cause, { entry: '@toolblocks/protocol/schemas', peer: 'typebox' })
})
