import {
  appendPointer,
  findJsonStringEnd,
  isEscapedInJson,
  isJsonWhiteSpace,
} from '@toolblocks/protocol/internal'

/** An array or object that is open at the position of the scan. */
interface OpenContainer {
  /** Its JSON Pointer. */
  at: string
  /** The keys until now; absent in arrays. */
  keys?: Set<string>
  /** The key or index of the current value. */
  child: string | number
}

/** Returns the JSON Pointers of keys that valid JSON repeats in one object, at most `most`. `JSON.parse` keeps the last one without a warning. */
export function findRepeatedKeys(text: string, most: number): readonly string[] {
  const repeated: string[] = []
  const open: OpenContainer[] = []
  let expectsKey = false
  for (let index = 0; index < text.length && repeated.length < most; index += 1) {
    const inner = open.at(-1)
    switch (text.charAt(index)) {
      case '{':
        open.push({ at: getPlace(inner), keys: new Set(), child: '' })
        expectsKey = true
        break
      case '[':
        open.push({ at: getPlace(inner), child: 0 })
        expectsKey = false
        break
      case '}':
      case ']':
        open.pop()
        break
      case ',':
        expectsKey = inner?.keys !== undefined
        if (typeof inner?.child === 'number') inner.child += 1
        break
      case '"': {
        const end = findJsonStringEnd(text, index)
        if (expectsKey && inner?.keys) {
          inner.child = String(JSON.parse(text.slice(index, end + 1)))
          if (inner.keys.has(inner.child)) repeated.push(getPlace(inner))
          inner.keys.add(inner.child)
        }
        expectsKey = false
        index = end
      }
    }
  }
  return repeated
}

function getPlace(container: OpenContainer | undefined): string {
  return container ? appendPointer(container.at, container.child) : ''
}

/**
 * Returns an upper bound for the number of keys in valid JSON. It is exact unless a string begins with a colon. It looks at each colon once, so
 * that few texts need a scan for repeated keys.
 */
export function countKeys(text: string): number {
  let keys = 0
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1
    while (isJsonWhiteSpace(text.charCodeAt(end))) end -= 1
    if (text.charAt(end) === '"' && !isEscapedInJson(text, end)) keys += 1
  }
  return keys
}
