/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a fleet on several ClickHouse servers, each of which has all rows: the
 * servers of one cluster (remote_servers in their configuration) are replicas.
 */
#ifndef FLAMECTL_CLICKHOUSE_CLUSTER_H
#define FLAMECTL_CLICKHOUSE_CLUSTER_H

#include "base/error.h"

/**
 * cluster_check() - check a cluster's name, which stands in statements.
 *
 * Return: 0, or -EINVAL with @error.
 */
int cluster_check(const char *name, struct error *error);

/**
 * cluster_statement() - make a statement that makes a table, or a database, do so on all
 * servers of a cluster.
 * @statement: "CREATE TABLE IF NOT EXISTS name (...) ENGINE = Engine(...) ..." or "CREATE
 *	       DATABASE IF NOT EXISTS name". The engine becomes its Replicated one.
 * @cluster: a name that cluster_check() accepts.
 * @database: the table's database; with its name the path in ZooKeeper that the
 *	      replicas share.
 *
 * Return: the text, which the caller frees, or NULL.
 */
char *cluster_statement(const char *statement, const char *cluster, const char *database);

#endif /* FLAMECTL_CLICKHOUSE_CLUSTER_H */
