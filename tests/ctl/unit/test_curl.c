// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl's own numbers for libcurl are those of <curl/curl.h>.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <curl/curl.h>

/* its names are other things in <curl/curl.h>, but none of the same spelling */
#include "fleet/curl.h"

static void options_are_libcurls(void **state)
{
	(void)state;
	assert_int_equal(CURL_OPT_POST, CURLOPT_POST);
	assert_int_equal(CURL_OPT_FOLLOWLOCATION, CURLOPT_FOLLOWLOCATION);
	assert_int_equal(CURL_OPT_HTTPGET, CURLOPT_HTTPGET);
	assert_int_equal(CURL_OPT_HTTP_VERSION, CURLOPT_HTTP_VERSION);
	assert_int_equal(CURL_OPT_TIMEOUT_MS, CURLOPT_TIMEOUT_MS);
	assert_int_equal(CURL_OPT_CONNECTTIMEOUT_MS, CURLOPT_CONNECTTIMEOUT_MS);
	/* CURLOPT_PROTOCOLS itself warns that it is deprecated */
	assert_int_equal(CURL_OPT_PROTOCOLS, CURLOPTTYPE_LONG + 181);
	assert_int_equal(CURL_OPT_WRITEDATA, CURLOPT_WRITEDATA);
	assert_int_equal(CURL_OPT_URL, CURLOPT_URL);
	assert_int_equal(CURL_OPT_ERRORBUFFER, CURLOPT_ERRORBUFFER);
	assert_int_equal(CURL_OPT_POSTFIELDS, CURLOPT_POSTFIELDS);
	assert_int_equal(CURL_OPT_USERAGENT, CURLOPT_USERAGENT);
	assert_int_equal(CURL_OPT_HTTPHEADER, CURLOPT_HTTPHEADER);
	assert_int_equal(CURL_OPT_SSLCERT, CURLOPT_SSLCERT);
	assert_int_equal(CURL_OPT_HEADERDATA, CURLOPT_HEADERDATA);
	assert_int_equal(CURL_OPT_CAINFO, CURLOPT_CAINFO);
	assert_int_equal(CURL_OPT_SSLKEY, CURLOPT_SSLKEY);
	assert_int_equal(CURL_OPT_NOPROXY, CURLOPT_NOPROXY);
	assert_int_equal(CURL_OPT_WRITEFUNCTION, CURLOPT_WRITEFUNCTION);
	assert_int_equal(CURL_OPT_HEADERFUNCTION, CURLOPT_HEADERFUNCTION);
	assert_int_equal(CURL_OPT_POSTFIELDSIZE_LARGE, CURLOPT_POSTFIELDSIZE_LARGE);
	assert_int_equal(sizeof(curl_off_t), sizeof(int64_t));
}

static void the_rest_is_libcurls(void **state)
{
	(void)state;
	assert_int_equal(CURL_INFO_RESPONSE_CODE, CURLINFO_RESPONSE_CODE);
	assert_int_equal(CURL_INFO_REQUEST_SIZE, CURLINFO_REQUEST_SIZE);
	assert_int_equal(CURL_RESULT_OK, CURLE_OK);
	assert_int_equal(CURL_RESULT_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_PROXY);
	assert_int_equal(CURL_RESULT_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_HOST);
	assert_int_equal(CURL_RESULT_COULDNT_CONNECT, CURLE_COULDNT_CONNECT);
	assert_int_equal(CURL_RESULT_WRITE_ERROR, CURLE_WRITE_ERROR);
	assert_int_equal(CURL_RESULT_OUT_OF_MEMORY, CURLE_OUT_OF_MEMORY);
	assert_int_equal(CURL_RESULT_SSL_CONNECT_ERROR, CURLE_SSL_CONNECT_ERROR);
	assert_int_equal(CURL_RESULT_SSL_CERTPROBLEM, CURLE_SSL_CERTPROBLEM);
	assert_int_equal(CURL_RESULT_PEER_FAILED_VERIFICATION, CURLE_PEER_FAILED_VERIFICATION);
	assert_int_equal(CURL_RESULT_SSL_CACERT_BADFILE, CURLE_SSL_CACERT_BADFILE);
	assert_int_equal(CURL_HTTP_2_PRIOR_KNOWLEDGE, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE);
	assert_int_equal(CURL_PROTOCOL_HTTP, CURLPROTO_HTTP);
	assert_int_equal(CURL_PROTOCOL_HTTPS, CURLPROTO_HTTPS);
	assert_int_equal(CURL_ERROR_TEXT, CURL_ERROR_SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_libcurls),
		cmocka_unit_test(the_rest_is_libcurls),
	};

	return cmocka_run_group_tests_name("curl", tests, NULL, NULL);
}
