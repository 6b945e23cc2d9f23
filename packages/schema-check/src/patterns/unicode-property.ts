import { createRecentCache } from '../recent-cache.ts'
import { LAST_CODE_POINT, type CodePoints } from './code-points.ts'

const known = createRecentCache<CodePoints>({ entries: 64, characters: 64 * 1024 })

/**
 * The code points of a Unicode property, for example `Script=Greek`, asked of the language itself: another engine's
 * tables may be of another version of Unicode. Throws for a property this language does not know.
 */
export function codePointsOfProperty(expression: string): CodePoints {
  return known(expression, () => {
    const property = new RegExp(`\\p{${expression}}`, 'u')
    const found: number[] = []
    let isInside = false
    for (let point = 0; point <= LAST_CODE_POINT; point++) {
      const has = property.test(String.fromCodePoint(point))
      if (has !== isInside) found.push(has ? point : point - 1)
      isInside = has
    }
    return isInside ? [...found, LAST_CODE_POINT] : found
  })
}
