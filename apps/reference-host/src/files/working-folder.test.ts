import { expect, test } from 'vitest'
import { workingFolder } from './working-folder.ts'

const typed = { INIT_CWD: '/project', npm_lifecycle_event: 'toolblocks' }

test("the script of a clone works on the folder it was typed in, everybody else's on the current one", () => {
  const clone = { ...typed, npm_package_name: 'toolblocks-monorepo' }
  expect(workingFolder('/clone', clone)).toBe('/project')
  expect(workingFolder('/clone', { ...clone, npm_lifecycle_event: 'test' })).toBe('/clone')
  expect(workingFolder('/sub', { ...typed, npm_package_name: 'mine' })).toBe('/sub')
  expect(workingFolder('/here', {})).toBe('/here')
})
