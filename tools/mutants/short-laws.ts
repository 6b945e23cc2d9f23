import fc from 'fast-check'

// Every broken line runs every law that reaches it, so each law gets a part of a second instead of all its runs.
fc.configureGlobal({ interruptAfterTimeLimit: 250 })
