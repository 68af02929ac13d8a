'use strict';

const { execFile } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');

const clean = async () => await rm('dist', { recursive: true, force: true });

const compile = async () => {
	const tsc = require.resolve('typescript/bin/tsc');
	try {
		await promisify(execFile)(process.execPath, [tsc]);
	} catch (error) {
		throw new Error(error.stdout || error.message);
	}
};

const copyIcons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

const copySchemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));

exports.build = series(clean, parallel(compile, copyIcons, copyCodex, copySchemas));
exports.default = exports.build;
