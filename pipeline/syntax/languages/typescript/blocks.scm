; TypeScript alone: no blocks beyond those in common with JavaScript
