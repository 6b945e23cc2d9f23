import { useId, useState } from 'react'
import { useTakeOver } from '../result/hydration.ts'

/**
 * Returns the start of the ids of the elements of a component. In a page it is unique: `useId` alone counts from the same number in each root of React.
 * Until React has taken over the elements of a server, it is the id that the server used.
 */
export function useElementId(): string {
  const shared = useId()
  const [own, setOwn] = useState('')
  useTakeOver(() => setOwn(createSuffix()))
  return `${shared}${own}`
}

function createSuffix(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join(
    '',
  )
}
