import { defineCode } from './code-element.ts'
import { defineDiff } from './diff-element.ts'
import { defineTable } from './table-element.ts'
import { defineTree } from './tree-element.ts'

// What stands in the page is readable without any of it: each element only adds what a reader can do with it.
defineCode()
defineDiff()
defineTable()
defineTree()
