module.exports = { ...require('./jest.config.js'), transform: { '^.+\\.ts$': ['ts-jest', { transpilation: true, diagnostics: false }] } };
