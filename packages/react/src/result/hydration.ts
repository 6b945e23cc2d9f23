import { useEffect, useLayoutEffect } from 'react'

// React 18 warns on a server about effects of the layout.
const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

/**
 * Calls `takeOver` once, when React has taken over the elements that a server rendered, or has created them. What a person typed before is still
 * in the elements; the next rendering would erase it.
 */
export function useTakeOver(takeOver: () => void): void {
  useEffectBeforePaint(takeOver, [])
}
