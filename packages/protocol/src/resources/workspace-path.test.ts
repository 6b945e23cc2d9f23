import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getLineRange, toWorkspacePath } from './workspace-path.ts'

describe('a file inside the workspace', () => {
  test.for([
    ['file:///project/src/main.rs', '/project', 'src/main.rs'],
    ['file:///project/src/main.rs', '/project/', 'src/main.rs'],
    ['file:///project/src/main.rs#L10-20', '/project', 'src/main.rs'],
    ['file:///project/a%20b/%C3%A9%23.md', '/project', 'a b/é#.md'],
    ['file:///my%20work/100%25/a', '/my work//100%/x/..', 'a'],
    ['file:///a/b', '/', 'a/b'],
    ['file:///project', '/project', '.'],
  ] as const)('%s in %s is %s', ([uri, root, path]) => {
    expect(toWorkspacePath(uri, root)).toBe(path)
  })

  test('win32: separators are shown as "/", the case of the drive has no effect', () => {
    expect(toWorkspacePath('file:///C:/Work/a/b.ts', 'c:\\Work', { platform: 'win32' })).toBe(
      'a/b.ts',
    )
    expect(toWorkspacePath('file:///C:/Work/a/b.ts', 'c:\\Work')).toBe('a/b.ts')
    expect(toWorkspacePath('file:///Work/a/b.ts', 'c:\\Work')).toBe('a/b.ts')
    expect(toWorkspacePath('file:///D:/Work/a', 'C:\\Work', { platform: 'win32' })).toBeUndefined()
    expect(
      toWorkspacePath('file:///C:/a', '\\\\server\\share', { platform: 'win32' }),
    ).toBeUndefined()
  })
})

describe('a file outside the workspace has no workspace path', () => {
  test.for([
    ['file:///project2/a', '/project'],
    ['file:///projec', '/project'],
    ['file:///project/../etc/passwd', '/project'],
    ['file:///', '/project'],
    ['https://project/a', '/project'],
    ['not a uri', '/project'],
    ['file:///project/%E9', '/project'],
    ['file:///project/a', 'project'],
    ['file:///project/a', '/\ud83d'],
    ['file:///project/a', ''],
  ] as const)('%s in %s', ([uri, root]) => {
    expect(toWorkspacePath(uri, root)).toBeUndefined()
  })
})

test('for any uri and root, the path never leaves the root', () => {
  const part = fc.constantFrom('a', 'b', '..', '.', '/', '//', '%2e%2e', '\\', '%2F', 'C:', 'é')
  const path = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`)
  fc.assert(
    fc.property(
      path,
      path,
      fc.constantFrom('posix' as const, 'win32' as const),
      (uri, root, platform) => {
        const relative = toWorkspacePath(`file://${uri}`, root, { platform })
        expect(relative ?? '').not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)/)
      },
    ),
    { numRuns: 1000 },
  )
})

test.for([
  ['file:///a#L7', 'line 7'],
  ['file:///a#L7-L7', 'line 7'],
  ['file:///a#L10-20', 'lines 10-20'],
  ['file:///a#L10-L20', 'lines 10-20'],
  ['file:///a#L7-8-9', undefined],
  ['file:///a#section', undefined],
  ['file:///a', undefined],
])('%s names %s', ([uri = '', lines]) => {
  expect(getLineRange(uri)).toBe(lines)
})
